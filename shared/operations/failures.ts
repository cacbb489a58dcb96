import { brief, type Problem } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';

/** Failures that are kept with an operation: the others are counted. */
const KEPT_FAILURES = 100;
/** Characters of them together: a record of DynamoDB holds 400 KB, and each change of it is paid by its size. */
const KEPT_CHARACTERS = 64_000;
/** The room of one of them. */
const ROOM = { causes: 5, characters: 300 };

/** The first failures, as many as a record has room for. */
export function keptFailures(failures: readonly JsonObject[]): JsonObject[] {
  let room = KEPT_CHARACTERS;
  return failures.slice(0, KEPT_FAILURES).filter((one) => {
    room -= JSON.stringify(one).length;
    return room >= 0;
  });
}

/** The problem of one of many, without extension members and header fields. */
export const ofMany = ({ name, detail, errors }: Problem): Problem => brief({ name, detail, errors }, ROOM);
