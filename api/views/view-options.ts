import type { Decimal } from '../../shared/json/decimal.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';
import type { Needs, SettingsOf } from '../../shared/resource/needs.ts';
import type { Definition } from '../definition.ts';
import type { Fields, Values, WrittenDecimal } from '../fields/declared.ts';
import type { Reading } from '../reading/code-reading.ts';
import type { Refusal } from '../refusal.ts';

/** What the code of a view gets. */
interface Input<P, R extends string> extends Reading<never, unknown, R> {
  /** The parameters of the request, as their fields say. */
  readonly parameters: Values<P>;
  /** The day of the request in UTC: `2026-12-31`. */
  readonly today: string;
  /** The time of the request in ms since the epoch. */
  readonly now: number;
  /** Who asks. Lists have what this caller owns, if items have owners. */
  readonly caller: Caller;
}

/** The same with what `needs` states. */
export type ViewInput<P, R extends string, N> = Input<P, R> & SettingsOf<N>;

/** The values of a row: a decimal can be a number. */
export type Row<F> = {
  readonly [Name in keyof Values<F>]: Values<F>[Name] extends Decimal | undefined
    ? WrittenDecimal | Exclude<Values<F>[Name], Decimal>
    : Values<F>[Name];
};

/** The facts of a view. `P`: its parameters. `F`: its fields. `R`: the names of the resources in `reads`. `N`: its needs. */
export interface ViewFacts<P extends Fields, F extends Fields, R extends string, N extends Needs> {
  /** What the view shows, in one or two sentences for people. */
  readonly about: string;
  /** The heading of its page. Without it, the name of the view. */
  readonly title?: string;
  /** The effect of a request in a few words, such as `Add two numbers`. Without it, the heading. */
  readonly summary?: string;
  /** The parameters of its query: texts, numbers, dates, times, booleans and references. A wrong one gets 400. */
  readonly parameters?: P;
  /** The properties of a row, or of the document. */
  readonly fields: F;
  /** The resources whose items the code reads: one by one, and in lists. */
  readonly reads?: readonly Definition<R>[];
  /** The variables, secrets and permissions on AWS that the code needs. Source: docs/resources.md, "What code needs". */
  readonly needs?: N;
  /**
   * Returns all rows in their order, at most 10,000, or `refuse` with the parameters at fault. The view is a list with
   * `limit`, `offset` and `fields`, also in CSV and JSON Lines.
   */
  readonly rows?: (
    input: ViewInput<P, R, N>,
  ) => readonly Row<F>[] | Refusal | Promise<readonly Row<F>[] | Refusal>;
  /** In place of `rows`: returns the one document, or `refuse` with the parameters at fault. */
  readonly one?: (input: ViewInput<P, R, N>) => Row<F> | Refusal | Promise<Row<F> | Refusal>;
  /** Of `one`, true: equal parameters have equal responses for all time, so caches keep them. */
  readonly immutable?: boolean;
  /** Of `one`: the field that `Accept: text/plain` gets alone. */
  readonly plain?: keyof F & string;
}
