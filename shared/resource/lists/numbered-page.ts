import type { DocumentCall } from '../actions/action.ts';
import { type Outcome, refused } from '../actions/outcome.ts';

const DEFAULT_LIMIT = 20;
const MAXIMUM_LIMIT = 100;

/** A page of a list in the order of numbers. `after`: the number before the page. */
export interface NumberedPage {
  readonly kind: 'numberedPage';
  readonly limit: number;
  readonly after: number | undefined;
}

/** The page that a query names by `limit` and `after`, or its refusal. Source: Specification 16.3. */
export function numberedPage(query: DocumentCall['query']): NumberedPage | Outcome {
  const faults = ['limit', 'after'].flatMap((parameter) =>
    isNumber(query[parameter]?.[0]) ? [] : [{ parameter, detail: 'must be an integer' }],
  );
  if (faults.length > 0)
    return refused('validation-error', 'The query is not valid. Correct the named parameters', {
      errors: faults,
    });
  const limit = Math.min(Number(query.limit?.[0] ?? DEFAULT_LIMIT), MAXIMUM_LIMIT);
  return {
    kind: 'numberedPage',
    limit,
    after: query.after?.[0] === undefined ? undefined : Number(query.after[0]),
  };
}

const isNumber = (text: string | undefined): boolean =>
  text === undefined || (/^(?:0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text)));
