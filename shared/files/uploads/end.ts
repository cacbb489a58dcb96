import { CHANGED, CREATED, SOME_CREATED } from '../../http/created-location.ts';
import { type Problem, problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Origin } from '../../operations/record/record.ts';
import { type End, failed } from '../../operations/running/finish.ts';
import { replacedIn } from '../../operations/running/part-tracker.ts';
import type { Checkpoint } from '../../resource/actions/work.ts';
import type { Awaited } from './record.ts';

/** The path of a collection, or of one of its files, without the base path. */
export const pathOf = (collection: string, name?: string): string =>
  name === undefined ? `/${collection}` : `/${collection}/${encodeURIComponent(name)}`;

/** The problem of a file whose precondition did not hold when the service published it. */
export const OVERTAKEN = 'precondition-failed';

/** The end of an operation after each file is published or has failed; undefined while it waits for files. */
export function endOf(
  collection: string,
  files: readonly Awaited[],
  origin: Origin,
  checkpoint: Checkpoint,
): End | undefined {
  const { done, failed: wrong, failures } = checkpoint;
  if (done + wrong < files.length) return undefined;
  if (wrong === 0) {
    const replaced = replacedIn(checkpoint);
    if (replaced === files.length) return { status: 'Succeeded', answered: CHANGED, checkpoint };
    const location = pathOf(collection, files.length === 1 ? files[0]?.name : undefined);
    return { status: 'Succeeded', answered: replaced === 0 ? CREATED : SOME_CREATED, location, checkpoint };
  }
  const isOvertaken = failures.every(({ problem }) =>
    String((problem as JsonObject).type).endsWith(OVERTAKEN),
  );
  const stated = `The service did not store ${wrong} of ${files.length} files. Correct what failures says, and announce them again`;
  return failed(
    problem(isOvertaken ? OVERTAKEN : 'validation-error', stated, { members: { failures } }),
    origin,
  );
}

/** The failure of one file: its path and the problem. */
export function failureOf(path: string, stated: Problem, origin: Origin): JsonObject {
  const end = failed(stated, origin);
  return { href: origin.basePath + path, problem: (end as { error: JsonObject }).error };
}
