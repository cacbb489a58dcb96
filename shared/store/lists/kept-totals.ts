import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Decimal } from '../../json/decimal.ts';
import { attributeOf } from '../../resource/description/attribute.ts';
import type { KeptTotal } from '../../resource/facts.ts';
import { type Filter, matches } from '../../resource/lists/filter.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { number, text } from '../form/attributes.ts';
import { totalName } from '../form/constraint-rows.ts';
import { CHANGES_TABLE, partitionsOf } from '../form/log-table.ts';
import { AT, COUNT, GENERATION, type GroupValue, totalsKey, WHOLE } from '../form/totals-rows.ts';
import { generationOf, groupIn, movesOf, sumsOf } from '../items/count-totals.ts';
import { and, compare, readExpression } from '../write/expression.ts';
import { inventoryOf } from '../write/stored-inventory.ts';

/** A group of a kept total. `sum`: by field. */
export interface KeptGroup {
  readonly values: Readonly<Record<string, GroupValue>>;
  readonly count: number;
  readonly sum: ReadonlyMap<string, Decimal>;
}

/** The groups of kept totals. `asOf`: ms since the epoch of the last change that they count; 0: none. */
export interface KeptGroups {
  readonly groups: readonly KeptGroup[];
  readonly asOf: number;
}

/** What a request asks for: fields that make rows, fields to sum, and filters. */
export interface WantedTotals {
  readonly by: readonly string[];
  readonly sum: readonly string[];
  readonly filters: readonly Filter[];
}

/** The most groups that a response is made of. */
const MOST_GROUPS = 20_000;
/** Attempts to read all rows of a partition between two writes. */
const ATTEMPTS = 4;

/** Returns the first kept total that has what a request asks for. */
const servedBy = (all: readonly KeptTotal[], { by, sum, filters }: WantedTotals): KeptTotal | undefined =>
  all.find(
    (one) =>
      [...by, ...filters.map(({ field }) => field)].every((name) => one.by.includes(name)) &&
      sum.every((name) => one.sum?.includes(name)),
  );

/**
 * Returns the groups of a kept total that meet the filters; undefined if the service keeps none for this request, if it
 * has too many groups, or if a backfill has not counted all items.
 *
 * Source: Specification 4.30.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function keptGroups(resource: Resource, wanted: WantedTotals): Promise<KeptGroups | undefined> {
  const description = descriptionOf(resource);
  const total = servedBy(resource.keptTotals ?? [], wanted);
  if (!total) return undefined;
  const name = totalName(description, total);
  const inventory = await inventoryOf(resource);
  if (inventory && !inventory.complete.unique.includes(name)) return undefined;
  const read = await Promise.all(partitionsOf(resource).map((partition) => rowsOf(partition)));
  const groups: KeptGroup[] = [];
  for (const one of read) {
    if (!one || generationOf(one.head) !== (one.head?.[WHOLE]?.S ?? '')) return undefined;
    for (const row of one.rows) {
      const { of, group } = groupIn(row);
      if (of !== name || row[GENERATION]?.S !== generationOf(one.head)) continue;
      const values = Object.fromEntries(total.by.map((field, at) => [field, group[at] ?? null]));
      if (!wanted.filters.every((filter) => matches(filter, values[filter.field]))) continue;
      const sums = sumsOf(row);
      const sum = new Map(
        wanted.sum.flatMap((field) => {
          const value = sums.get(attributeOf(description, field));
          return value ? [[field, value]] : [];
        }),
      );
      groups.push({ values, count: Number(row[COUNT]?.N), sum });
    }
  }
  return { groups, asOf: Math.max(...read.map((one) => Number(one?.head?.[AT]?.N ?? 0))) };
}

/** Returns the rows of a partition, and its head; undefined if they are too many. */
async function rowsOf(
  partition: string,
): Promise<{ readonly head: Attributes | undefined; readonly rows: readonly Attributes[] } | undefined> {
  const TableName = config.tableName(CHANGES_TABLE.name);
  const isOwn = compare(CHANGES_TABLE.key, '=', text(totalsKey(partition)));
  const query = async (key: typeof isOwn, start?: Attributes) =>
    orUnavailable(
      dynamoDb().send(
        new QueryCommand({
          TableName,
          ...readExpression({ key }),
          ConsistentRead: true,
          ...(start ? { ExclusiveStartKey: start } : {}),
        }),
      ),
    );
  for (let attempt = 1; ; attempt += 1) {
    const all: Attributes[] = [];
    let last: Attributes | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await query(isOwn, last);
      all.push(...Items);
      if (all.length > MOST_GROUPS) return undefined;
      last = LastEvaluatedKey;
    } while (last);
    const isHead = (row: Attributes) => row[CHANGES_TABLE.sort]?.N === '0';
    const head = all.find(isHead);
    // A row of a later write beside one of an earlier write would count an item twice, or not at all.
    const { Items: [now] = [] } = await query(and(isOwn, compare(CHANGES_TABLE.sort, '=', number(0))));
    if (movesOf(now) === movesOf(head) || attempt === ATTEMPTS)
      return { head, rows: all.filter((row) => !isHead(row)) };
  }
}
