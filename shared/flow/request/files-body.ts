import { essence } from '../../http/media-type.ts';
import { type Fault, type Problem, problem } from '../../http/problem.ts';
import type {
  AnnouncedFile,
  AnnouncedFiles,
  AnnouncedUploads,
} from '../../representations/announced-file.ts';
import { filesInForm } from '../../representations/files-in-form.ts';
import { filesInJson } from '../../representations/files-in-json.ts';
import { fieldsOf } from '../../representations/form-fields.ts';
import { json } from '../../representations/json.ts';
import { readMultipart } from '../../representations/multipart.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { ACCEPT_FILES } from './accepted-formats.ts';
import { malformed, mediaTypeOf } from './body.ts';
import { digestFault } from './digests.ts';
import { MAXIMUM_BYTES } from './limits.ts';
import { readUploads } from './manifest-body.ts';

type Refused = Ending<400 | 413 | 415>;

const NO_BYTES = new Uint8Array();

/**
 * Reads several files. What is wrong with some of them is told of each, and the others are stored; where none could be, where
 * the body itself is wrong, or with `handling=strict`, everything wrong is told at once and none is stored.
 */
export async function readFiles(exchange: Exchange): Promise<Refused | undefined> {
  const announced = await announcedFiles(exchange);
  if ('status' in announced) return announced;
  if ('uploads' in announced) return readUploads(exchange, announced);
  const { files } = announced;
  const wrong = [...announced.faults, ...repeated(files)];
  if (wrong.length === 0 && files.length === 0) wrong.push({ pointer: '', detail: 'There is no file in it' });
  const judged = files.map((file) => ({ ...file, problem: problemOf(exchange, file) }));
  const isStrict = exchange.preferences.get('handling') === 'strict';
  if (wrong.length > 0 || isStrict || judged.every(({ problem }) => problem)) {
    const refused = none(wrong, judged);
    if (refused) return refused;
  }
  exchange.files = judged.map(({ name, mediaType, bytes, problem }) => ({ name, mediaType, bytes, problem }));
  return undefined;
}

/** Says everything that is wrong, if anything is. A file that is too large is told where nothing else is wrong. */
function none(
  wrong: readonly Fault[],
  judged: readonly { readonly problem?: Problem }[],
): Ending<400 | 413> | undefined {
  const problems = judged.flatMap(({ problem }) => problem ?? []);
  const invalid = problems.filter(({ name }) => name === 'validation-error');
  const errors = [...wrong, ...invalid.flatMap((one) => one.errors ?? [])];
  if (errors.length > 0) return refuse('validation-error', 'Nothing was stored', { errors });
  const [large] = problems;
  if (!large) return undefined;
  return refuse('payload-too-large', large.detail, {
    errors: problems.flatMap((one) => one.errors ?? []),
    members: large.members,
  });
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

/** Names that stand there twice: whose bytes are meant cannot be known. */
function repeated(files: readonly AnnouncedFile[]): Fault[] {
  const names = new Set<string>();
  return files.flatMap(({ name, fault }) => {
    if (names.has(name)) return fault('filename', 'names a file that was sent already');
    names.add(name);
    return [];
  });
}

/** What is wrong with the name, the digest or the size of one of them. */
function problemOf(
  { resource }: Exchange,
  { name, bytes, digest, fault }: AnnouncedFile,
): Problem | undefined {
  const errors: Fault[] = [];
  const wrong = resource.nameFault?.(name);
  if (wrong) errors.push(fault('filename', wrong));
  const corrupted = digest === undefined ? undefined : digestFault(digest, bytes);
  if (corrupted) errors.push(fault('digest', corrupted));
  if (errors.length > 0) return problem('validation-error', 'The file was not stored', { errors });
  if (bytes.length <= MAXIMUM_BYTES) return undefined;
  return problem('payload-too-large', `A file of several has at most ${MAXIMUM_BYTES} bytes`, {
    errors: [fault('content', `has ${bytes.length} bytes`)],
    members: { maximum: MAXIMUM_BYTES },
  });
}
