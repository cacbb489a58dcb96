import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import { Decimal } from '../../json/decimal.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { number, text } from '../form/attributes.ts';
import { CHANGES_TABLE, OF } from '../form/log-table.ts';
import {
  AT,
  COUNT,
  FIRST_GENERATION,
  GENERATION,
  GROUP,
  groupKey,
  headKey,
  MOVED,
  type Part,
  SUMS,
} from '../form/totals-rows.ts';
import { attributeNotExists, compare, updateExpression } from '../write/expression.ts';
import { readKeys } from './read-items.ts';

/** What an item added before a change, and what it adds after it. */
export interface Counted {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
}

/** The most parts of a transaction for each item that changes its groups, and for each of its totals. */
export const PARTS_OF_TOTAL = 2;

/** Returns the generation that the changes of a partition count for. `head`: its row. */
export const generationOf = (head: Attributes | undefined): string =>
  head?.[GENERATION]?.S ?? FIRST_GENERATION;

/** Returns how often the totals of a partition have changed. `head`: its row. */
export const movesOf = (head: Attributes | undefined): number => Number(head?.[MOVED]?.N ?? 0);

/** Moves the head of a partition, if no other writer has moved it since. `head`: its row before. */
export const headPart = (
  partition: string,
  head: Attributes | undefined,
  set: Attributes,
): TransactWriteItem => ({
  Update: {
    TableName: config.tableName(CHANGES_TABLE.name),
    Key: headKey(partition),
    ...updateExpression(
      { set: { ...set, [MOVED]: number(movesOf(head) + 1) } },
      head ? compare(MOVED, '=', number(movesOf(head))) : attributeNotExists(MOVED),
    ),
  },
});

/** The number of the items of a group, and the sums of their values. */
interface Change {
  count: number;
  readonly sums: Map<string, Decimal>;
}

/**
 * Returns the parts that move items between the groups of a partition. `head`: the row of the partition, read before. The
 * transaction fails if another writer has moved it. `now`: ms since the epoch.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function totalsParts(
  partition: string,
  head: Attributes | undefined,
  moves: readonly Counted[],
  now: number,
): Promise<TransactWriteItem[]> {
  const generation = generationOf(head);
  const changes = new Map<string, { readonly part: Part; readonly change: Change }>();
  const add = (part: Part, sign: 1 | -1) => {
    const key = nameOf(part);
    const { change } = changes.get(key) ?? { change: { count: 0, sums: new Map<string, Decimal>() } };
    changes.set(key, { part, change });
    change.count += sign;
    for (const [name, value] of Object.entries(part.sum))
      addTo(change.sums, name, decimal(value).times(sign));
  };
  for (const { before, after } of moves) {
    for (const part of before) add(part, -1);
    for (const part of after) add(part, 1);
  }
  const moved = [...changes.values()].filter(
    ({ change: { count, sums } }) => count !== 0 || [...sums.values()].some((one) => !one.equals(NONE)),
  );
  if (moved.length === 0) return [];
  const TableName = config.tableName(CHANGES_TABLE.name);
  const keys = moved.map(({ part }) => groupKey(partition, generation, part));
  const rows = await readKeys(CHANGES_TABLE.name, keys);
  const known = new Map(rows.map((row) => [nameOf(groupIn(row)), row]));
  return [
    headPart(partition, head, { [AT]: number(now) }),
    ...moved.map(({ part, change }, at): TransactWriteItem => {
      const Key = keys[at] ?? {};
      const row = known.get(nameOf(part));
      const count = Number(row?.[COUNT]?.N ?? 0) + change.count;
      if (count === 0) return { Delete: { TableName, Key } };
      const sums = sumsOf(row);
      for (const [name, value] of change.sums) addTo(sums, name, value);
      const stored = JSON.stringify(Object.fromEntries([...sums].map(([name, sum]) => [name, sum.text])));
      return {
        Put: {
          TableName,
          Item: {
            ...Key,
            [GENERATION]: text(generation),
            [OF]: text(part.of),
            [GROUP]: text(JSON.stringify(part.group)),
            [COUNT]: number(count),
            [SUMS]: text(stored),
          },
        },
      };
    }),
  ];
}

/** Returns the total and the values in the row of a group. */
export const groupIn = (row: Attributes): Pick<Part, 'of' | 'group'> => ({
  of: row[OF]?.S ?? '',
  group: JSON.parse(row[GROUP]?.S ?? '[]'),
});

const nameOf = ({ of, group }: Pick<Part, 'of' | 'group'>): string => JSON.stringify([of, group]);

const NONE = Decimal.from(0);

const decimal = (stored: string): Decimal => Decimal.parse(stored) ?? NONE;

const addTo = (sums: Map<string, Decimal>, name: string, value: Decimal): void =>
  void sums.set(name, (sums.get(name) ?? NONE).plus(value));

/** Returns the sums in the row of a group, by attribute. */
export function sumsOf(row: Attributes | undefined): Map<string, Decimal> {
  const stored: Readonly<Record<string, string>> = JSON.parse(row?.[SUMS]?.S ?? '{}');
  return new Map(Object.entries(stored).map(([name, sum]) => [name, decimal(sum)]));
}
