import type { Fault, Problem } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';

/** Failures that are kept with an operation: the others are counted. */
const KEPT_FAILURES = 100;
/** Characters of them together: a record of DynamoDB holds 400 KB, and each change of it is paid by its size. */
const KEPT_CHARACTERS = 64_000;
/** Causes of one of them, and characters of each text. */
const CAUSES = 5;
const CHARACTERS = 300;

const cut = (text: string): string => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text);

/** The first failures, as many as a record has room for. */
export function keptFailures(failures: readonly JsonObject[]): JsonObject[] {
  let room = KEPT_CHARACTERS;
  return failures.slice(0, KEPT_FAILURES).filter((one) => {
    room -= JSON.stringify(one).length;
    return room >= 0;
  });
}

/** A problem of one of many, with what is needed to find the cause: clients send texts of any length. */
export function brief({ name, detail, errors = [] }: Problem): Problem {
  const causes = errors.slice(0, CAUSES).map(
    (one): Fault => ({
      ...one,
      detail: cut(one.detail),
      ...(one.pointer === undefined ? {} : { pointer: cut(one.pointer) }),
    }),
  );
  return { name, detail: cut(detail), ...(causes.length > 0 ? { errors: causes } : {}) };
}
