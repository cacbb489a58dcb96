import type { Fault } from '../../http/problem.ts';
import { whole } from '../../json/decimal.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import type { AnnouncedFile, AnnouncedFiles, AnnouncedUploads } from './announced-file.ts';
import { fileMembers, namingOf, textOf } from './file-members.ts';
import { uploadsInJson } from './uploads-in-json.ts';

/** Maximum number of files, as in a form. The service writes each to S3 and to DynamoDB before it responds. */
const MAXIMUM_FILES = 1000;
const NO_BYTES = new Uint8Array();

/**
 * The files of a JSON document: an array, `{"items": […]}`, `{"files": […]}` or one object, each file as
 * `{"filename" or "name", "contentType"?, "content", "encoding"?, "digest"?}`. The content is text, stored as UTF-8,
 * unless `encoding` is `base64`. Files without content form a manifest of uploads.
 *
 * Source: Specification 5.15, 5.17 to 5.19; RFC 4648 §4.
 */
export function filesInJson(document: JsonValue): AnnouncedFiles | AnnouncedUploads {
  const key = isObject(document) ? ['items', 'files'].find((one) => Object.hasOwn(document, one)) : undefined;
  const isOne = isObject(document) && key === undefined && namingOf(document) !== undefined;
  const listed = isObject(document) && key !== undefined ? document[key] : document;
  const elements = isOne ? [document] : listed;
  const root = key === undefined ? '' : `/${key}`;
  const wrong = (detail: string): AnnouncedFiles => ({ files: [], faults: [{ pointer: root, detail }] });
  if (!Array.isArray(elements)) return wrong('must be an array of files');
  if (elements.length === 0) return wrong('must have an element');
  if (elements.length > MAXIMUM_FILES) return wrong(`must have at most ${MAXIMUM_FILES} files`);
  const pointerOf = (at: number) => (isOne ? root : `${root}/${at}`);
  const lacking = elements.filter(lacksContent).length;
  if (lacking > 0 && lacking === elements.filter(isObject).length)
    return uploadsInJson(elements, root, pointerOf);
  const faults: Fault[] = [];
  const files = elements.flatMap((one, at) => fileOf(one, pointerOf(at), faults, lacking > 0) ?? []);
  return { files, faults };
}

const lacksContent = (one: JsonValue): boolean => isObject(one) && !Object.hasOwn(one, 'content');

/** One file, as far as it is readable. Adds every fault to `faults`. `mixed`: other files have no content. */
function fileOf(one: JsonValue, pointer: string, faults: Fault[], mixed: boolean): AnnouncedFile | undefined {
  let bytes: Uint8Array | undefined;
  let isText = true;
  const members = fileMembers(one, pointer, faults, (element, fault) => {
    const encoding = Object.hasOwn(element, 'encoding') ? element.encoding : 'utf-8';
    isText = encoding === 'utf-8';
    const content = textOf(element, 'content');
    if (mixed && lacksContent(element)) faults.push(fault('content', 'must be in all files or in none'));
    else if (!isText && encoding !== 'base64') faults.push(fault('encoding', 'must be utf-8 or base64'));
    else if (isText) {
      bytes = content?.isWellFormed() ? Buffer.from(content) : undefined;
      if (!bytes) faults.push(fault('content', 'must be a text'));
    } else {
      bytes = bytesOf(content);
      if (!bytes) faults.push(fault('content', 'must be a text in base64, because encoding is base64'));
    }
    if (bytes && Object.hasOwn(element, 'size') && whole(element.size) !== bytes.length)
      faults.push(fault('size', `must be ${bytes.length}, the bytes of content, or be left out`));
  });
  // The name is validated even if the content cannot be read, so that the client sees all errors at once.
  if (members?.name === undefined) return undefined;
  const { name, mediaType, digest, fault } = members;
  return { name, mediaType, isText, fault, bytes: bytes ?? NO_BYTES, digest: bytes ? digest : undefined };
}

/** Decodes strictly: Node skips characters that are not base64, so the bytes are encoded again and compared. */
function bytesOf(content: string | undefined): Uint8Array | undefined {
  if (content === undefined) return undefined;
  const bytes = Buffer.from(content, 'base64');
  return bytes.toString('base64') === content ? bytes : undefined;
}
