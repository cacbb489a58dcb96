import { essence, isUtf8, isUtf16, type MediaType } from '../../http/fields/media-type.ts';
import type { Fault } from '../../http/problem.ts';
import type { SentFile } from '../../resource/sent.ts';
import { partsOf } from '../forms/form-document.ts';
import { fieldsOf } from '../forms/form-reader.ts';
import { KEY_INPUT } from '../forms/inputs.ts';
import { type FormPart, readMultipart } from '../forms/multipart.ts';
import { json } from '../json.ts';
import type { Parts } from '../representation.ts';
import { xml } from '../xml/xml.ts';
import type { AnnouncedFile, AnnouncedFiles, AnnouncedUploads } from './announced-file.ts';
import { filesInJson } from './files-in-json.ts';
import { filesInXml } from './files-in-xml.ts';

/** The files in a request. `parts`: what the content of several parts has in addition to these files. */
export type ReadFiles =
  | { readonly kind: 'fault'; readonly type: string; readonly fault: Fault }
  | { readonly kind: 'uploads'; readonly announced: AnnouncedUploads }
  | {
      readonly kind: 'files';
      readonly announced: AnnouncedFiles;
      readonly parts?: (files: readonly SentFile[]) => Parts;
    };

/** Reads the files in the format that the media type of the content names; undefined for another format. */
export async function readAnnouncedFiles(
  bytes: Uint8Array,
  mediaType: MediaType | undefined,
  contentType: string,
): Promise<ReadFiles | undefined> {
  const type = mediaType && essence(mediaType);
  if (type === 'multipart/form-data') {
    const form = await readMultipart(bytes, contentType);
    if ('fault' in form) return { kind: 'fault', type, fault: form.fault };
    const parts = (files: readonly SentFile[]) => partsOf(fieldsOf(form.parts), files);
    return { kind: 'files', announced: filesInForm(form.parts), parts };
  }
  if (type === undefined || !isUtf8(mediaType)) return undefined;
  const isJson = json.mediaTypes.includes(type);
  if (!isJson && (!xml.mediaTypes.includes(type) || isUtf16(bytes))) return undefined;
  const document = await (isJson ? json.read(bytes) : filesInXml(bytes, contentType));
  if ('fault' in document) return { kind: 'fault', type, fault: document.fault };
  const announced = filesInJson(document.value);
  return 'uploads' in announced ? { kind: 'uploads', announced } : { kind: 'files', announced };
}

/**
 * The files of a form: every part with a filename is one. The service ignores other parts. A browser sends an empty
 * file input as a part without bytes and with an empty filename, which is ignored too.
 *
 * Source: HTML "Constructing the entry list" (an empty file input); RFC 7578 §4.2; Specification 5.16.
 */
function filesInForm(parts: readonly FormPart[]): AnnouncedFiles {
  const files: AnnouncedFile[] = [];
  const isOfPage = parts.some(({ name }) => name === KEY_INPUT);
  for (const { name: parameter, filename, mediaType, bytes } of parts) {
    if (filename === undefined || (filename === '' && bytes.length === 0)) continue;
    const fault: AnnouncedFile['fault'] = (member, detail) => ({
      parameter,
      detail: `${member} of '${filename}' ${detail}`,
    });
    files.push({ name: filename, mediaType, bytes, isText: false, isOfPage, fault });
  }
  return { files, faults: [] };
}
