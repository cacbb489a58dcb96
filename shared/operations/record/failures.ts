import { brief, type Problem, withoutRules } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';

/** Failures that an operation stores. It only counts further ones. */
const MAXIMUM_FAILURES = 100;
/** Characters of all stored failures. A DynamoDB item holds 400 KB, and DynamoDB charges each change by its size. */
const MAXIMUM_CHARACTERS = 64_000;
/** Limits of one failure. */
const ROOM = { causes: 5, characters: 300 };

/** The first failures, as many as fit into a record. */
export function firstFailures(failures: readonly JsonObject[]): JsonObject[] {
  let room = MAXIMUM_CHARACTERS;
  return failures.slice(0, MAXIMUM_FAILURES).filter((one) => {
    room -= JSON.stringify(one).length;
    return room >= 0;
  });
}

/** The problem of one failure, shortened, and without extension properties and header fields. */
export const ofMany = ({ name, detail, errors }: Problem): Problem =>
  brief({ name, detail, ...(errors ? { errors: withoutRules(errors) } : {}) }, ROOM);
