import { type Problem, problem } from '../../http/problem.ts';
import { CHANGED, CREATED } from '../../http/response.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Origin } from '../../operations/record/record.ts';
import { type End, failureWith } from '../../operations/running/finish.ts';
import { countOf } from '../../operations/running/part-tracker.ts';
import type { Checkpoint } from '../../resource/actions/work.ts';
import type { Awaited } from './record.ts';

/** Returns the path of a collection, or of one of its files, without the base path. */
export const pathOf = (collection: string, name?: string): string =>
  name === undefined ? `/${collection}` : `/${collection}/${encodeURIComponent(name)}`;

/** Returns the end of an operation after each file is published or has failed; undefined while it waits for files. */
export function endOf(
  collection: string,
  files: readonly Awaited[],
  origin: Origin,
  checkpoint: Checkpoint,
): End | undefined {
  const { done, failed: wrong, failures } = checkpoint;
  if (done + wrong < files.length) return undefined;
  if (wrong === 0) {
    if (countOf(checkpoint, 'replaced') === files.length)
      return { status: 'Succeeded', answered: CHANGED, checkpoint };
    const location = pathOf(collection, files.length === 1 ? files[0]?.name : undefined);
    return { status: 'Succeeded', answered: CREATED, location, checkpoint };
  }
  const name = countOf(checkpoint, 'stale') === wrong ? 'precondition-failed' : 'validation-error';
  const stated = `The service did not store ${wrong} of ${files.length} files. Correct what failures says, and announce them again`;
  return failureWith(problem(name, stated, { members: { failures } }), origin);
}

/** Returns the failure of one file: its path and the problem. */
export function failureOf(path: string, stated: Problem, origin: Origin): JsonObject {
  const end = failureWith(stated, origin);
  return { href: origin.basePath + path, problem: (end as { error: JsonObject }).error };
}
