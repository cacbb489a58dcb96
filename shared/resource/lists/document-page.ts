import type { DocumentCall } from '../actions/action.ts';
import { type Outcome, refused } from '../actions/outcome.ts';

const DEFAULT_LIMIT = 20;
const MAXIMUM_LIMIT = 100;

/** The position in a list in the order of numbers: the number before the page. */
export const AFTER = { name: 'after', matches: /^(?:0|[1-9]\d{0,15})$/, is: 'an integer' };

/**
 * Returns the limit and the position of a page: 20 entries unless the query says another number, and at most 100.
 * Otherwise the refusal. `position`: the name of its parameter, and what its value matches.
 */
export function pageOf(
  query: DocumentCall['query'],
  { name, matches, is }: { readonly name: string; readonly matches: RegExp; readonly is: string },
):
  | { readonly kind: 'page'; readonly limit: number; readonly position: RegExpExecArray | undefined }
  | Outcome {
  const limit = query.limit?.[0] ?? String(DEFAULT_LIMIT);
  const sent = query[name]?.[0];
  const found = sent === undefined ? undefined : (matches.exec(sent) ?? undefined);
  // The id of a version can look like a number.
  const isTooLarge = (part: string) => /^\d{16}$/.test(part) && !Number.isSafeInteger(Number(part));
  const position = found?.some(isTooLarge) ? undefined : found;
  const errors = [
    ...(/^\d{1,16}$/.test(limit) && Number.isSafeInteger(Number(limit))
      ? []
      : [{ parameter: 'limit', detail: 'must be an integer' }]),
    ...(sent === undefined || position ? [] : [{ parameter: name, detail: `must be ${is}` }]),
  ];
  if (errors.length === 0) return { kind: 'page', limit: Math.min(Number(limit), MAXIMUM_LIMIT), position };
  return refused('validation-error', 'The query is not valid. Correct the named parameters', { errors });
}
