import { createHash } from 'node:crypto';
import { Decimal } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import { attributeOf } from '../../resource/description/attribute.ts';
import type { ResourceFacts } from '../../resource/facts.ts';
import type { Attributes } from './attribute-value.ts';
import { fromAttributes, number, text } from './attributes.ts';
import { totalName } from './constraint-rows.ts';
import { CHANGES_TABLE } from './log-table.ts';

/**
 * The rows of kept totals in the table of the log. All rows of a partition of the log have one key, `orders.2 totals`:
 *
 * - `position` 0 is the head. `moved` (N) counts its writers, so that each of them sees the rows that it changes. `at` (N, ms
 *   since the epoch) is the time of the last one. `generation` (S) is the generation that changes count for, and `whole` (S) the
 *   one that has all items. A partition without these two has one generation, from its first item on.
 * - Each other row has the values of a group: `generation` (S), `of` (S) the name of the total, `group` (S) the values as JSON,
 *   `count` (N), and `sums` (S) a decimal for each attribute, as JSON.
 *
 * The row of an item in the log has what the item adds: `counted` (S), a generation and parts as JSON. While the item exists,
 * this row has no end.
 */
export const MOVED = 'moved';
export const AT = 'at';
export const GENERATION = 'generation';
export const WHOLE = 'whole';
export const GROUP = 'group';
export const COUNT = 'count';
export const SUMS = 'sums';
export const COUNTED = 'counted';

/** The generation of a partition before its first backfill. */
export const FIRST_GENERATION = '';

/** A value of a group; null: the item has none. */
export type GroupValue = string | number | boolean | null;

/** What an item adds to a total. `sum`: decimals as texts, by attribute. */
export interface Part {
  readonly of: string;
  readonly group: readonly GroupValue[];
  readonly sum: Readonly<Record<string, string>>;
}

/** Returns a value as a group has it. */
export const groupValue = (value: JsonValue | undefined): GroupValue =>
  value instanceof Decimal
    ? value.toNumber()
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null;

/** Returns what an item with these attributes adds to each kept total; nothing if its form is unknown. */
export function partsOfItem(
  { description, keptTotals = [] }: Pick<ResourceFacts, 'description' | 'keptTotals'>,
  attributes: Attributes,
): readonly Part[] {
  if (!description || keptTotals.length === 0) return [];
  const { values, unreadable } = fromAttributes(description, attributes);
  if (unreadable) return [];
  return keptTotals.map((total) => ({
    of: totalName(description, total),
    group: total.by.map((name) => groupValue(values[name])),
    sum: Object.fromEntries(
      (total.sum ?? []).flatMap((name) => {
        const value = values[name];
        return typeof value === 'number' || value instanceof Decimal
          ? [[attributeOf(description, name), Decimal.from(value).text]]
          : [];
      }),
    ),
  }));
}

/** Returns the key of all rows of the totals of a partition. */
export const totalsKey = (partition: string): string => `${partition} totals`;

/** Returns the key of the head. */
export const headKey = (partition: string): Attributes => ({
  [CHANGES_TABLE.key]: text(totalsKey(partition)),
  [CHANGES_TABLE.sort]: number(0),
});

/** Returns the key of the row of a group: 120 bits of a digest. */
export function groupKey(partition: string, generation: string, { of, group }: Pick<Part, 'of' | 'group'>) {
  const digest = createHash('sha256')
    .update(JSON.stringify([generation, of, group]))
    .digest('hex');
  return {
    [CHANGES_TABLE.key]: text(totalsKey(partition)),
    [CHANGES_TABLE.sort]: { N: String(BigInt(`0x${digest.slice(0, 30)}`) + 1n) },
  };
}

/** Returns what the row of an item says that it adds in a generation. */
export function countedIn(row: Attributes | undefined, generation: string): readonly Part[] {
  const stored = row?.[COUNTED]?.S;
  if (stored === undefined) return [];
  const { g, parts }: { readonly g: string; readonly parts: readonly Part[] } = JSON.parse(stored);
  return g === generation ? parts : [];
}

/** Returns the attribute of the row of an item with what it adds. */
export const countedAs = (generation: string, parts: readonly Part[]): Attributes => ({
  [COUNTED]: text(JSON.stringify({ g: generation, parts })),
});
