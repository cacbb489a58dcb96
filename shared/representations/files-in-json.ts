import type { Fault } from '../http/problem.ts';
import { isObject, type JsonValue } from '../json/value.ts';
import type { AnnouncedFile, AnnouncedFiles, AnnouncedUploads } from './announced-file.ts';
import { fileMembers, textOf } from './file-members.ts';
import { uploadsInJson } from './uploads-in-json.ts';

/** As many as a form can have: each is written to S3 and to DynamoDB before the answer. */
const MAXIMUM_FILES = 1000;
const NO_BYTES = new Uint8Array();

/**
 * The files of a JSON document, an array or `{"items": […]}` of `{"filename", "contentType"?, "content", "digest"?}` with
 * the content in base64; other members, such as a listing has, mean nothing here. Where content is left out, it is a
 * manifest of files that are to be sent elsewhere; one alone needs no array.
 *
 * Source: RFC 4648 §4.
 */
export function filesInJson(document: JsonValue): AnnouncedFiles | AnnouncedUploads {
  const wrapped = isObject(document) && Object.hasOwn(document, 'items');
  const elements = wrapped ? document.items : document;
  const root = wrapped ? '/items' : '';
  if (isObject(document) && !wrapped && Object.hasOwn(document, 'filename') && lacksContent(document))
    return uploadsInJson([document], root, () => root);
  const wrong = (detail: string): AnnouncedFiles => ({ files: [], faults: [{ pointer: root, detail }] });
  if (!Array.isArray(elements)) return wrong('must be an array of files');
  if (elements.length === 0) return wrong('must have an element');
  if (elements.length > MAXIMUM_FILES) return wrong(`must have at most ${MAXIMUM_FILES} files`);
  const pointerOf = (at: number) => `${root}/${at}`;
  const lacking = elements.filter(lacksContent).length;
  if (lacking > 0 && lacking === elements.filter(isObject).length)
    return uploadsInJson(elements, root, pointerOf);
  const faults: Fault[] = [];
  const files = elements.flatMap((one, at) => fileOf(one, pointerOf(at), faults, lacking > 0) ?? []);
  return { files, faults };
}

const lacksContent = (one: JsonValue): boolean => isObject(one) && !Object.hasOwn(one, 'content');

/** One file, as far as it can be read; what is wrong is added to `faults`. `mixed`: others have no content. */
function fileOf(one: JsonValue, pointer: string, faults: Fault[], mixed: boolean): AnnouncedFile | undefined {
  let bytes: Uint8Array | undefined;
  const members = fileMembers(one, pointer, faults, (element, fault) => {
    bytes = bytesOf(textOf(element, 'content'));
    if (mixed && lacksContent(element)) faults.push(fault('content', 'must be in all files or in none'));
    else if (!bytes) faults.push(fault('content', 'must be a text in base64'));
  });
  // A name is judged even where the content cannot be read: everything wrong is told at once.
  if (members?.name === undefined) return undefined;
  const { name, mediaType, digest, fault } = members;
  return { name, mediaType, fault, bytes: bytes ?? NO_BYTES, digest: bytes ? digest : undefined };
}

/** Decodes strictly: Node skips what is no base64, so what it understood is written again and compared. */
function bytesOf(content: string | undefined): Uint8Array | undefined {
  if (content === undefined) return undefined;
  const bytes = Buffer.from(content, 'base64');
  return bytes.toString('base64') === content ? bytes : undefined;
}
