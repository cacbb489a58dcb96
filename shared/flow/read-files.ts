import { essence } from '../http/media-type.ts';
import type { Fault } from '../http/problem.ts';
import type { AnnouncedFile, AnnouncedFiles, AnnouncedUploads } from '../representations/announced-file.ts';
import { filesInForm } from '../representations/files-in-form.ts';
import { filesInJson } from '../representations/files-in-json.ts';
import { fieldsOf } from '../representations/form-fields.ts';
import { json } from '../representations/json.ts';
import { readMultipart } from '../representations/multipart.ts';
import { type Ending, refuse } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { MAXIMUM_BYTES } from './limits.ts';
import { ACCEPT_FILES } from './options.ts';
import { mediaTypeOf } from './read-as.ts';
import { readUploads } from './read-uploads.ts';
import { digestFault } from './verify-digests.ts';

type Refused = Ending<400 | 413 | 415>;

const NO_BYTES = new Uint8Array();

/** Reads several files. Everything wrong with any of them is told at once, and then none is stored. */
export async function readFiles(exchange: Exchange): Promise<Refused | undefined> {
  const announced = await announcedFiles(exchange);
  if ('status' in announced) return announced;
  if ('uploads' in announced) return readUploads(exchange, announced);
  const { files } = announced;
  const faults = [...announced.faults, ...faultsOf(exchange, files)];
  if (faults.length === 0 && files.length === 0)
    faults.push({ pointer: '', detail: 'There is no file in it' });
  if (faults.length > 0) return refuse('validation-error', 'Nothing was stored', { errors: faults });
  const large = files.filter(({ bytes }) => bytes.length > MAXIMUM_BYTES);
  if (large.length > 0) {
    return refuse('payload-too-large', `A file of several has at most ${MAXIMUM_BYTES} bytes`, {
      errors: large.map(({ fault, bytes }) => fault('content', `has ${bytes.length} bytes`)),
      members: { maximum: MAXIMUM_BYTES },
    });
  }
  exchange.files = files.map(({ name, mediaType, bytes }) => ({ name, mediaType, bytes }));
  return undefined;
}

/** The files as they were sent, by the media type of the body. */
async function announcedFiles(exchange: Exchange): Promise<AnnouncedFiles | AnnouncedUploads | Refused> {
  const { request } = exchange;
  const mediaType = mediaTypeOf(request);
  const bytes = request.content();
  if (bytes === undefined && request.headers['content-type'] === undefined)
    return refuse('malformed-body', 'The request has no body');
  const type = mediaType && essence(mediaType);
  if (type === 'multipart/form-data') {
    const form = await readMultipart(bytes ?? NO_BYTES, request.headers['content-type'] as string);
    if ('fault' in form) return malformed(type, form.fault);
    exchange.submitted = fieldsOf(form.parts);
    return filesInForm(form.parts);
  }
  const charset = mediaType?.parameters.get('charset') ?? 'utf-8';
  if (type === 'application/json' && charset.toLowerCase() === 'utf-8') {
    const document = json.read(bytes ?? NO_BYTES);
    if ('fault' in document) return malformed(type, document.fault);
    return filesInJson(document.value);
  }
  return refuse('unsupported-media-type', `Send ${ACCEPT_FILES}`, {
    headers: { 'Accept-Post': ACCEPT_FILES },
  });
}

const malformed = (mediaType: string, fault: Fault): Ending<400> =>
  refuse('malformed-body', `The body is not valid ${mediaType}`, { errors: [fault] });

/** What is wrong with names and digests. */
function faultsOf({ resource }: Exchange, files: readonly AnnouncedFile[]): Fault[] {
  const names = new Set<string>();
  return files.flatMap(({ name, bytes, digest, fault }) => {
    const faults: Fault[] = [];
    const wrong = resource.nameFault?.(name);
    if (wrong) faults.push(fault('filename', wrong));
    else if (names.has(name)) faults.push(fault('filename', 'names a file that was sent already'));
    names.add(name);
    const corrupted = digest === undefined ? undefined : digestFault(digest, bytes);
    if (corrupted) faults.push(fault('digest', corrupted));
    return faults;
  });
}
