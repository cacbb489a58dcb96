import type { Fault } from '../http/problem.ts';
import { whole } from '../json/decimal.ts';
import type { JsonValue } from '../json/value.ts';
import type { AnnouncedUpload, AnnouncedUploads } from './announced-file.ts';
import { fileMembers } from './file-members.ts';

/** As many files as a manifest may have. */
export const MAXIMUM_UPLOADS = 100;

/**
 * The elements of a manifest, `{"filename", "size", "contentType"?, "digest"?}` each: files that are to be sent
 * elsewhere. `pointerOf` tells where an element stands.
 */
export function uploadsInJson(
  elements: readonly JsonValue[],
  root: string,
  pointerOf: (at: number) => string,
): AnnouncedUploads {
  if (elements.length > MAXIMUM_UPLOADS) {
    const detail = `must have at most ${MAXIMUM_UPLOADS} files, where their content is sent elsewhere`;
    return { uploads: [], root, faults: [{ pointer: root, detail }] };
  }
  const faults: Fault[] = [];
  const uploads = elements.flatMap((one, at) => uploadOf(one, pointerOf(at), faults) ?? []);
  return { uploads, root, faults };
}

function uploadOf(one: JsonValue, pointer: string, faults: Fault[]): AnnouncedUpload | undefined {
  let size = 0;
  const members = fileMembers(one, pointer, faults, (element, fault) => {
    const given = whole(Object.hasOwn(element, 'size') ? element.size : undefined);
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) size = given;
    else faults.push(fault('size', 'must be a number of bytes'));
  });
  if (members?.name === undefined) return undefined;
  const { name, mediaType = 'application/octet-stream', digest, fault } = members;
  return { name, mediaType, digest, fault, size };
}
