import type { Decimal } from '../../shared/json/decimal.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Suffix } from '../../shared/resource/kinds/operators.ts';
import type { Declared, Values, WrittenDecimal } from '../fields/declared.ts';

/** An item, with the types of its fields. */
export type ItemOf<F> = Omit<Item, 'id' | 'values'> & { readonly id: number; readonly values: Values<F> };

/** What a filter compares with a field. Objects, arrays and bytes have no filter. */
type Compared<One> =
  One extends Declared<infer Value>
    ? Value extends Decimal
      ? WrittenDecimal
      : Extract<Value, string | number | boolean>
    : never;

/** The fields that have filters and orders, with those of every item. Times are ms since the epoch, or RFC 3339. */
type Comparable<F> = {
  readonly [Name in keyof F & string as [Compared<F[Name]>] extends [never] ? never : Name]: Compared<
    F[Name]
  >;
} & { readonly id: number; readonly createdAt: number | string; readonly updatedAt: number | string };

/** The suffixes of the filters of a value: a boolean has none. */
type SuffixOf<Value> = Value extends boolean
  ? never
  : Value extends string
    ? Suffix
    : Exclude<Suffix, 'prefix' | 'words'>;

/** The names and the values of filters that compare with more than equality: `due.lt`. */
type Ranges<All> = {
  readonly [Name in keyof All & string as `${Name}.${SuffixOf<All[Name]>}`]?: All[Name];
};

/**
 * The filters of a list, as in its query: `{ open: true, 'due.lt': '2026-12-31' }`. An item meets all of them. An array
 * is a choice of values.
 */
export type Filters<F> = {
  readonly [Name in keyof Comparable<F>]?: Comparable<F>[Name] | readonly Comparable<F>[Name][];
} & Ranges<Comparable<F>>;

/** The order of a list: `-due` is the descending order of `due`. */
type Sort<F> = (keyof Comparable<F> & string) | `-${keyof Comparable<F> & string}`;

/** Which items of a list the code gets. */
export interface ListOptions<F> {
  /** One order, or several: the later ones decide between equal values. Without it, that of HTTP. */
  readonly sort?: Sort<F> | readonly Sort<F>[];
  /** The most items. Without it, all of them. */
  readonly limit?: number;
}

/** The options of a list, whatever its fields are. */
export type PlainOptions = { readonly sort?: string | readonly string[]; readonly limit?: number };
