import { problem } from '../http/problem.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Action, ActionInput, SentFile } from '../resource/action.ts';
import type { Outcome, Result } from '../resource/outcome.ts';
import type { Resource } from '../resource/resource.ts';

/** Files written at the same time: each waits for S3 and DynamoDB a few times. */
const AT_ONCE = 8;
/** How often a write that was overtaken is tried again. */
const ATTEMPTS = 4;

/**
 * Stores several files, each as `write` does for one alone. A file that cannot be stored now is a result among the
 * others; where none can, the whole is unavailable.
 *
 * @throws Unavailable when no file could be stored
 */
export async function storeFiles(resource: Resource, asked: ActionInput, write: Action): Promise<Outcome> {
  const { files = [] } = asked;
  const results: Result[] = [];
  let failure: Unavailable | undefined;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const at = next++;
      const file = files[at] as SentFile;
      const list = `/${resource.name}`;
      const location = resource.nameFault?.(file.name) ? list : `${list}/${encodeURIComponent(file.name)}`;
      try {
        results[at] = file.problem
          ? { kind: 'refused', location, problem: file.problem }
          : await stored(file, location, asked, write);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        failure = error;
        // Perhaps its bytes were stored and only the answer, or the row, was lost.
        const stated = problem('unavailable', 'This file may not have been stored: please send it again');
        results[at] = { kind: 'refused', location, problem: stated };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // An operation is tried again until all are stored.
  if (failure && (asked.work || results.every(({ kind }) => kind === 'refused'))) throw failure;
  return { kind: 'several', results, location: `/${resource.name}` };
}

async function stored(sent: SentFile, location: string, asked: ActionInput, write: Action): Promise<Result> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const parameters = { filename: sent.name };
    const outcome = await write({ parameters, query: {}, sent, now: asked.now });
    if ((outcome.kind === 'created' || outcome.kind === 'replaced') && outcome.state.kind === 'item')
      return { kind: outcome.kind, location, item: outcome.state.item };
  }
  throw new Unavailable(new Error('The file was changed by others again and again'));
}
