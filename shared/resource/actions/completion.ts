import type { Problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';

/** The values of an item with its computed ones, or the problem that prevents their storage. */
export type Completion =
  | { readonly kind: 'complete'; readonly values: JsonObject }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** The result for complete values. */
export const complete = (values: JsonObject): Completion => ({ kind: 'complete', values });
