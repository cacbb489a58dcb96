import { essence } from '../../http/fields/media-type.ts';
import { MAXIMUM_BYTES } from '../../http/maximum-sizes.ts';
import { type Fault, type Problem, problem } from '../../http/problem.ts';
import type {
  AnnouncedFile,
  AnnouncedFiles,
  AnnouncedUploads,
} from '../../representations/files/announced-file.ts';
import { filesInJson } from '../../representations/files/files-in-json.ts';
import { filesInXml } from '../../representations/files/files-in-xml.ts';
import { mediaTypeFor } from '../../representations/files/media-type.ts';
import { filesInForm } from '../../representations/forms/files-in-form.ts';
import type { FormFields } from '../../representations/forms/form.ts';
import { partsOf } from '../../representations/forms/form-document.ts';
import { fieldsOf } from '../../representations/forms/form-reader.ts';
import { readMultipart } from '../../representations/forms/multipart.ts';
import { json } from '../../representations/json.ts';
import type { ReadDocument } from '../../representations/representation.ts';
import { xml } from '../../representations/xml/xml.ts';
import type { Content, ContentOfParts } from '../content.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Preferred, Received } from '../exchange.ts';
import { ACCEPT_FILES } from './accepted-formats.ts';
import { mediaTypeOf, refuseMalformed, withoutBody } from './body.ts';
import { digestFault } from './digests.ts';
import { readUploads } from './manifest-body.ts';

type Refused = Ending<400 | 413 | 415>;

const NO_BYTES = new Uint8Array();

/**
 * Reads several files. If any of them is faulty, the service reports all faults at once and stores nothing. With
 * `handling=lenient` it stores the others, and reports a problem for each faulty file.
 *
 * Source: Specification 5.20.
 */
export async function readFiles(exchange: Received & Preferred): Promise<Content | ContentOfParts | Refused> {
  const announced = await announcedFiles(exchange);
  if (announced.kind === 'ending') return announced;
  if (announced.kind === 'uploads') return readUploads(exchange, announced.announced);
  const { files, faults } = announced.announced;
  const wrong = [...faults, ...repeated(files)];
  if (wrong.length === 0 && files.length === 0)
    wrong.push({ pointer: '', detail: 'The request has no file: send at least one' });
  const checked = files.map((file) => ({ ...file, problem: problemOf(exchange, file) }));
  const isLenient = exchange.preferences.get('handling') === 'lenient';
  if (wrong.length > 0 || !isLenient) {
    const refused = refusalOf(wrong, checked);
    if (refused) return refused;
  }
  const typed = checked.map(async ({ name, bytes, problem, mediaType: declared, isText }) => {
    const otherwise = isText ? 'text/plain' : undefined;
    const mediaType = await mediaTypeFor(declared, { name, bytes, otherwise });
    return { name, mediaType, bytes, problem };
  });
  const sent = await Promise.all(typed);
  const content: Content = { kind: 'files', files: sent };
  if (!announced.fields) return content;
  const { headers, identity } = partsOf(announced.fields, sent);
  return { kind: 'parts', content, headers, identity };
}

/**
 * The refusal with all faults, if there are any. It reports files that are too large only if nothing else is wrong.
 */
function refusalOf(
  wrong: readonly Fault[],
  checked: readonly { readonly problem?: Problem }[],
): Ending<400 | 413> | undefined {
  const problems = checked.flatMap(({ problem }) => problem ?? []);
  const invalid = problems.filter(({ name }) => name === 'validation-error');
  const errors = [...wrong, ...invalid.flatMap((one) => one.errors ?? [])];
  if (errors.length > 0)
    return refuse('validation-error', 'Nothing was stored. Correct the named files', { errors });
  const [large] = problems;
  if (!large) return undefined;
  return refuse('payload-too-large', large.detail, {
    errors: problems.flatMap((one) => one.errors ?? []),
    members: large.members,
  });
}

type Announced =
  | { readonly kind: 'files'; readonly announced: AnnouncedFiles; readonly fields?: FormFields }
  | { readonly kind: 'uploads'; readonly announced: AnnouncedUploads };

/** Reads the files in the format that the media type of the body names. */
async function announcedFiles({ request }: Received): Promise<Announced | Refused> {
  const mediaType = mediaTypeOf(request);
  const bytes = request.content();
  if (bytes === undefined && request.headers['content-type'] === undefined) return withoutBody();
  const type = mediaType && essence(mediaType);
  if (type === 'multipart/form-data') {
    const form = await readMultipart(bytes ?? NO_BYTES, request.headers['content-type'] ?? '');
    if ('fault' in form) return refuseMalformed(type, form.fault);
    return { kind: 'files', announced: filesInForm(form.parts), fields: fieldsOf(form.parts) };
  }
  const charset = mediaType?.parameters.get('charset') ?? 'utf-8';
  const read = type === undefined || charset.toLowerCase() !== 'utf-8' ? undefined : readerOf(type);
  if (read) {
    const document = await read(bytes ?? NO_BYTES);
    if ('fault' in document) return refuseMalformed(type, document.fault);
    const announced = filesInJson(document.value);
    return 'uploads' in announced ? { kind: 'uploads', announced } : { kind: 'files', announced };
  }
  return refuse('unsupported-media-type', `Send Content-Type with one of ${ACCEPT_FILES}`, {
    headers: { 'Accept-Post': ACCEPT_FILES },
  });
}

/** The reader of files in a media type other than a form. */
function readerOf(type: string): ((bytes: Uint8Array) => ReadDocument | Promise<ReadDocument>) | undefined {
  if (json.mediaTypes.includes(type)) return json.read;
  return xml.mediaTypes.includes(type) ? filesInXml : undefined;
}

/** A fault for each filename that occurs again: the service cannot know which bytes the client means. */
function repeated(files: readonly AnnouncedFile[]): Fault[] {
  const names = new Set<string>();
  return files.flatMap(({ name, fault }) => {
    if (names.has(name)) return fault('filename', 'repeats the name of another file in this request');
    names.add(name);
    return [];
  });
}

/** The problem of one file: its name, its digest or its size. */
function problemOf(
  { resource }: Received,
  { name, bytes, digest, fault }: AnnouncedFile,
): Problem | undefined {
  const errors: Fault[] = [];
  const wrong = resource.description?.identifier.faultOf?.(name);
  if (wrong) errors.push(fault('filename', wrong));
  const corrupted = digest === undefined ? undefined : digestFault(digest, bytes);
  if (corrupted) errors.push(fault('digest', corrupted));
  if (errors.length > 0)
    return problem('validation-error', 'The file was not stored. Correct what errors lists', { errors });
  if (bytes.length <= MAXIMUM_BYTES) return undefined;
  return problem(
    'payload-too-large',
    `A file of several has at most ${MAXIMUM_BYTES} bytes. Announce its size instead of its content`,
    {
      errors: [fault('content', `has ${bytes.length} bytes`)],
      members: { maximum: MAXIMUM_BYTES },
    },
  );
}
