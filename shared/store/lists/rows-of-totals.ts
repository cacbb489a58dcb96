import { Decimal } from '../../json/decimal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Field } from '../../resource/description/description.ts';
import { choicesOf } from '../../resource/description/field-types.ts';
import type { Item } from '../../resource/item.ts';
import type { Process } from '../../resource/process.ts';
import { groupValue } from '../form/totals-rows.ts';
import type { KeptGroup } from './kept-totals.ts';

/** What a row has of a number field. */
export const MEASURES = ['sum', 'min', 'max'] as const;
export type Measure = (typeof MEASURES)[number];

/** What a client asks for: the fields whose equal values make a row, and those of each measure. */
export type Asked = { readonly by: readonly string[] } & Readonly<Record<Measure, readonly string[]>>;

/** A value of an item in a row. */
type Group = string | number | boolean | undefined;

/** True if the values of a field can make rows of totals: choices, states, references, booleans and days. */
export const makesGroups = (name: string, field: Field, process: Process | undefined): boolean =>
  field.kind === 'boolean' ||
  field.kind === 'date' ||
  process?.field === name ||
  isReference(field) ||
  (field.kind === 'text' && choicesOf(field) !== undefined);

/** True if totals can sum a field. */
export const isMeasured = (field: Field): boolean =>
  (field.kind === 'integer' || field.kind === 'decimal') && !isReference(field);

/** True if the values identify items, also of those that need not exist. */
const isReference = (field: Field): boolean => field.kind === 'integer' && field.isId === true;

/** The sums, the least and the largest values of the items of a row, by field. */
interface Row {
  readonly values: readonly Group[];
  count: number;
  readonly sum: Map<string, Decimal>;
  readonly min: Map<string, Decimal>;
  readonly max: Map<string, Decimal>;
}

/** The rows of totals. Decimals are exact. */
export class Groups {
  readonly #asked: Asked;
  readonly #rows = new Map<string, Row>();

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  add({ values }: Item): void {
    const { by, sum, min, max } = this.#asked;
    const row = this.#row(by.map((name) => groupOf(values[name])));
    row.count += 1;
    for (const name of sum)
      row.sum.set(name, (row.sum.get(name) ?? Decimal.from(0)).plus(numberIn(values[name]) ?? 0));
    for (const [names, known, sign] of [
      [min, row.min, -1],
      [max, row.max, 1],
    ] as const)
      for (const name of names) {
        const [value, best] = [numberIn(values[name]), known.get(name)];
        if (value && (!best || value.compare(best) === sign)) known.set(name, value);
      }
  }

  /** Adds the items of a group that the service keeps. */
  addKept({ values, count, sum }: KeptGroup): void {
    const row = this.#row(this.#asked.by.map((name) => values[name] ?? undefined));
    row.count += count;
    for (const [name, value] of sum) row.sum.set(name, (row.sum.get(name) ?? Decimal.from(0)).plus(value));
  }

  #row(values: readonly Group[]): Row {
    const key = JSON.stringify(values.map((value) => [typeof value, value]));
    const known = this.#rows.get(key);
    if (known) return known;
    const sum = new Map(this.#asked.sum.map((name) => [name, Decimal.from(0)]));
    const made = { values, count: 0, sum, min: new Map(), max: new Map() };
    this.#rows.set(key, made);
    return made;
  }

  /** The rows in the order of their values. Without groups, there is one row, also for no items. */
  rows(): JsonObject[] {
    const { by } = this.#asked;
    if (by.length === 0) this.#row([]);
    return [...this.#rows.values()]
      .sort((a, b) => byValues(a.values, b.values))
      .map(({ values, count, ...measures }) => ({
        ...Object.fromEntries(
          by.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
        ),
        count,
        ...Object.fromEntries(
          MEASURES.flatMap((measure) =>
            this.#asked[measure].length > 0 ? [[measure, Object.fromEntries(measures[measure])]] : [],
          ),
        ),
      }));
  }
}

const groupOf = (value: JsonValue | undefined): Group => groupValue(value) ?? undefined;

const numberIn = (value: JsonValue | undefined): Decimal | undefined =>
  typeof value === 'number' || value instanceof Decimal ? Decimal.from(value) : undefined;

/** The order of rows: a missing value is the last one. */
function byValues(one: readonly Group[], other: readonly Group[]): number {
  for (const [at, a] of one.entries()) {
    const b = other[at];
    if (a === b) continue;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  }
  return 0;
}
