import { CONCURRENCY, mapConcurrently } from '../concurrency/map-concurrently.ts';
import { attempts } from '../concurrency/retry.ts';
import * as RETRIES from '../concurrency/retry-policies.ts';
import { problem, Unavailable } from '../http/problem.ts';
import type { Action, FilesCall } from '../resource/actions/action.ts';
import type { Outcome, Result } from '../resource/actions/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { SentFile } from '../resource/sent.ts';

/** The action that stores one file. */
type Write = Action<'writeFile'>;

/**
 * Stores several files by `write`. If an engine fails for some files of a lenient request, their results are refusals.
 * For any other request, the function throws: the client sends it again, and the service stores the same bytes again.
 *
 * Source: Specification 5.20.
 *
 * @throws Unavailable when an engine failed, unless the request is lenient and some file was stored
 */
export async function storeFiles(
  resource: Resource,
  input: FilesCall,
  files: readonly SentFile[],
  write: Write,
): Promise<Outcome> {
  const { lenient, work } = input;
  const list = `/${resource.name}`;
  let failure: Unavailable | undefined;
  const results = await mapConcurrently(CONCURRENCY.files, files, async (file): Promise<Result> => {
    const location = resource.description?.identifier.faultOf?.(file.name)
      ? list
      : `${list}/${encodeURIComponent(file.name)}`;
    if (file.problem) return { kind: 'refused', location, problem: file.problem };
    try {
      return await stored(file, input, write);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failure = error;
      // S3 may have stored the bytes although its response was lost or the write of the row failed.
      const stated = problem('unavailable', 'The service may not have stored this file. Send it again');
      return { kind: 'refused', location, problem: stated };
    }
  });
  // A worker tries an operation again until all files are stored.
  const mayReport = lenient && !work && results.some(({ kind }) => kind !== 'refused');
  if (failure && !mayReport) throw failure;
  const only = results.length === 1 ? results[0]?.location : undefined;
  return { kind: 'several', results, location: list, only, perElement: lenient };
}

async function stored(sent: SentFile, input: FilesCall, write: Write): Promise<Result> {
  const { caller, now } = input;
  for await (const _ of attempts(RETRIES.file)) {
    const outcome = await write({ caller, name: sent.name, sent, now });
    if ((outcome.kind === 'created' || outcome.kind === 'replaced') && outcome.state.kind === 'item')
      return { kind: outcome.kind, location: outcome.location, item: outcome.state.item };
  }
  throw new Unavailable(new Error('Other requests changed the file during each attempt'));
}
