import { MAXIMUM_BYTES } from '../../http/maximum-sizes.ts';
import { type Fault, type Problem, problem } from '../../http/problem.ts';
import type { AnnouncedFile } from '../../representations/files/announced-file.ts';
import { readAnnouncedFiles } from '../../representations/files/announced-files.ts';
import { mediaTypeFor } from '../../representations/files/media-type.ts';
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
  const { request } = exchange;
  const contentType = request.headers['content-type'];
  const bytes = request.content();
  if (bytes === undefined && contentType === undefined) return withoutBody();
  const read = await readAnnouncedFiles(bytes ?? NO_BYTES, mediaTypeOf(request), contentType ?? '');
  if (!read) {
    return refuse('unsupported-media-type', `Send Content-Type with one of ${ACCEPT_FILES}, in UTF-8`, {
      headers: { 'Accept-Post': ACCEPT_FILES },
    });
  }
  if (read.kind === 'fault') return refuseMalformed(read.type, read.fault);
  if (read.kind === 'uploads') return readUploads(exchange, read.announced);
  const { files, faults } = read.announced;
  const wrong = [...faults, ...repeated(files)];
  if (wrong.length === 0 && files.length === 0)
    wrong.push({ pointer: '', detail: 'The request has no file: send at least one' });
  const checked = files.map((file) => ({ ...file, problem: problemOf(exchange, file) }));
  const isLenient = exchange.preferences.get('handling') === 'lenient';
  if (wrong.length > 0 || !isLenient) {
    const refused = refusalOf(wrong, checked);
    if (refused) return refused;
  }
  const typed = checked.map(async ({ name, bytes, problem, mediaType: declared, isText, isOfPage }) => {
    const otherwise = isText ? 'text/plain' : undefined;
    const mediaType = await mediaTypeFor(declared, { name, bytes, otherwise, isOfPage });
    return { name, mediaType, bytes, problem };
  });
  const sent = await Promise.all(typed);
  const content: Content = { kind: 'files', files: sent };
  if (!read.parts) return content;
  const { headers, identity } = read.parts(sent);
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

/** A fault for each filename that occurs again: the service cannot know which bytes the client means. */
function repeated(files: readonly AnnouncedFile[]): Fault[] {
  const names = new Set<string>();
  return files.flatMap(({ name, fault }) => {
    if (names.has(name.normalize()))
      return fault('filename', 'repeats the name of another file in this request');
    names.add(name.normalize());
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
