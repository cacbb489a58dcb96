import { problem } from '../http/problem.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Action, ActionInput, SentFile } from '../resource/action.ts';
import type { Outcome, Result } from '../resource/outcome.ts';
import type { Resource } from '../resource/resource.ts';

/** Files that are written at the same time, because each one waits for S3 and DynamoDB several times. */
const AT_ONCE = 8;
/** The action that stores one file. */
type Write = Action<'name' | 'sent'>;

/** Attempts of a write that conflicts with other writes of the same file. */
const ATTEMPTS = 4;

/**
 * Stores several files by `write`. If an engine fails for some files, their results are refusals. If no file is stored,
 * or an operation runs, the function throws.
 *
 * @throws Unavailable when no file was stored, or when a worker has to try an operation again
 */
export async function storeFiles(resource: Resource, asked: ActionInput, write: Write): Promise<Outcome> {
  const { files = [] } = asked;
  const results: Result[] = [];
  let failure: Unavailable | undefined;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const at = next++;
      const file = files[at] as SentFile;
      const list = `/${resource.name}`;
      const location = resource.description?.identifier.faultOf?.(file.name)
        ? list
        : `${list}/${encodeURIComponent(file.name)}`;
      try {
        results[at] = file.problem
          ? { kind: 'refused', location, problem: file.problem }
          : await stored(file, location, asked, write);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        failure = error;
        // S3 may have stored the bytes although its response was lost or the write of the row failed.
        const stated = problem('unavailable', 'The service may not have stored this file. Send it again');
        results[at] = { kind: 'refused', location, problem: stated };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // A worker tries an operation again until all files are stored.
  if (failure && (asked.work || results.every(({ kind }) => kind === 'refused'))) throw failure;
  return { kind: 'several', results, location: `/${resource.name}` };
}

async function stored(sent: SentFile, location: string, asked: ActionInput, write: Write): Promise<Result> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const outcome = await write({ name: sent.name, parameters: {}, query: {}, sent, now: asked.now });
    if ((outcome.kind === 'created' || outcome.kind === 'replaced') && outcome.state.kind === 'item')
      return { kind: outcome.kind, location, item: outcome.state.item };
  }
  throw new Unavailable(new Error('Other requests changed the file during each attempt'));
}
