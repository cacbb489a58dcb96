import type { Problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';

/** The values of an item with its computed ones, or the problem that prevents their storage. */
export type Completion =
  | { readonly kind: 'complete'; readonly values: JsonObject }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Adds values to those of an item, or refuses them. */
export type Complete = (values: JsonObject) => Promise<Completion>;

/** The result for complete values. */
export const complete = (values: JsonObject): Completion => ({ kind: 'complete', values });
