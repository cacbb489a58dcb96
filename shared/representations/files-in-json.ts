import { isFieldValue } from '../http/field-value.ts';
import { parseMediaType } from '../http/media-type.ts';
import type { Fault } from '../http/problem.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { AnnouncedFile, AnnouncedFiles } from './announced-file.ts';

const USUAL_TYPE = 'application/octet-stream';
/** As many as a form can have: each is written to S3 and to DynamoDB before the answer. */
const MAXIMUM_FILES = 1000;
const NO_BYTES = new Uint8Array();

/**
 * The files of a JSON document, an array or `{"items": […]}` of `{"filename", "contentType"?, "content", "digest"?}` with
 * the content in base64; other members, such as a listing has, mean nothing here. 'manifest' where content is left out:
 * those files are to be sent elsewhere.
 *
 * Source: RFC 4648 §4.
 */
export function filesInJson(document: JsonValue): AnnouncedFiles | 'manifest' {
  const wrapped = isObject(document) && Object.hasOwn(document, 'items');
  const elements = wrapped ? document.items : document;
  const root = wrapped ? '/items' : '';
  if (!Array.isArray(elements)) {
    return { files: [], faults: [{ pointer: root, detail: 'must be an array of files' }] };
  }
  if (elements.length > MAXIMUM_FILES) {
    return { files: [], faults: [{ pointer: root, detail: `must have at most ${MAXIMUM_FILES} files` }] };
  }
  if (elements.some((one) => isObject(one) && !Object.hasOwn(one, 'content'))) return 'manifest';
  const faults: Fault[] = [];
  const files = elements.flatMap((one, at) => fileOf(one, `${root}/${at}`, faults) ?? []);
  return { files, faults };
}

/** One file, as far as it can be read; what is wrong is added to `faults`. */
function fileOf(one: JsonValue, pointer: string, faults: Fault[]): AnnouncedFile | undefined {
  if (!isObject(one)) {
    faults.push({ pointer, detail: 'must be an object' });
    return undefined;
  }
  const fault: AnnouncedFile['fault'] = (member, detail) => ({ pointer: `${pointer}/${member}`, detail });
  const name = textOf(one, 'filename');
  if (name === undefined) faults.push(fault('filename', 'must be a text'));
  const bytes = bytesOf(textOf(one, 'content'));
  if (!bytes) faults.push(fault('content', 'must be a text in base64'));
  const mediaType = Object.hasOwn(one, 'contentType') ? textOf(one, 'contentType')?.trim() : USUAL_TYPE;
  if (mediaType === undefined || !parseMediaType(mediaType) || !isFieldValue(mediaType))
    faults.push(fault('contentType', 'must be a media type'));
  const digest = textOf(one, 'digest');
  if (digest === undefined && Object.hasOwn(one, 'digest')) faults.push(fault('digest', 'must be a text'));
  // A name is judged even where the content cannot be read: everything wrong is told at once.
  if (name === undefined) return undefined;
  const judged = bytes ? digest : undefined;
  return { name, bytes: bytes ?? NO_BYTES, mediaType: mediaType ?? USUAL_TYPE, digest: judged, fault };
}

function textOf(one: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(one, member) ? one[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Decodes strictly: Node skips what is no base64, so what it understood is written again and compared. */
function bytesOf(content: string | undefined): Uint8Array | undefined {
  if (content === undefined) return undefined;
  const bytes = Buffer.from(content, 'base64');
  return bytes.toString('base64') === content ? bytes : undefined;
}
