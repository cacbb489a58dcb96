import type { Fault } from '../../http/problem.ts';
import { whole } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import type { AnnouncedUpload, AnnouncedUploads } from './announced-file.ts';
import { fileMembers } from './file-members.ts';

/** Maximum number of files in a manifest. */
export const MAXIMUM_UPLOADS = 100;

/** The advice on an element that neither has bytes nor announces them. */
const NO_BYTES =
  'is missing: send the bytes in content, or announce their number in size and upload them by the link';

/**
 * Reads the elements of a manifest, `{"filename", "size", "contentType"?, "digest"?}` each. `pointerOf` gives the
 * JSON Pointer of an element.
 */
export function uploadsInJson(
  elements: readonly JsonValue[],
  root: string,
  pointerOf: (at: number) => string,
): AnnouncedUploads {
  if (elements.length > MAXIMUM_UPLOADS) {
    const detail = `must have at most ${MAXIMUM_UPLOADS} files without content`;
    return { uploads: [], root, faults: [{ pointer: root, detail }] };
  }
  const faults: Fault[] = [];
  const uploads = elements.flatMap((one, at) => uploadOf(one, pointerOf(at), faults) ?? []);
  return { uploads, root, faults };
}

function uploadOf(one: JsonValue, pointer: string, faults: Fault[]): AnnouncedUpload | undefined {
  let size = 0;
  const members = fileMembers(one, pointer, faults, (element, fault) => {
    if (!Object.hasOwn(element, 'size')) {
      faults.push(fault('content', NO_BYTES));
      return;
    }
    const given = whole(element.size);
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) size = given;
    else faults.push(fault('size', 'must be a number of bytes'));
  });
  if (members?.name === undefined) return undefined;
  const { name, mediaType, digest, fault } = members;
  return { name, mediaType, digest, fault, size };
}
