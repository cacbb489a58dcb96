import { brief, type Problem } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';

/** Failures that an operation stores. It only counts further ones. */
const KEPT_FAILURES = 100;
/** Characters of all stored failures. A DynamoDB item holds 400 KB, and DynamoDB charges each change by its size. */
const KEPT_CHARACTERS = 64_000;
/** Limits of one failure. */
const ROOM = { causes: 5, characters: 300 };

/** The first failures, as many as fit into a record. */
export function keptFailures(failures: readonly JsonObject[]): JsonObject[] {
  let room = KEPT_CHARACTERS;
  return failures.slice(0, KEPT_FAILURES).filter((one) => {
    room -= JSON.stringify(one).length;
    return room >= 0;
  });
}

/** The problem of one failure, shortened, and without extension properties and header fields. */
export const ofMany = ({ name, detail, errors }: Problem): Problem => brief({ name, detail, errors }, ROOM);
