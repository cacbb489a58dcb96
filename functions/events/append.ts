import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { attempts } from '../../shared/concurrency/retry.ts';
import * as RETRIES from '../../shared/concurrency/retry-policies.ts';
import { Unavailable } from '../../shared/http/problem.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { expiry, number, text } from '../../shared/store/form/attributes.ts';
import {
  BEGAN,
  CHANGES_TABLE,
  changeKey,
  EVENT,
  endKey,
  IMAGE,
  itemKey,
  LAST,
  LOGGED,
  POSITIONS_OF_MS,
  PREVIOUS,
  partitionOf,
  TIME,
} from '../../shared/store/form/log-table.ts';
import {
  COUNTED,
  countedAs,
  countedIn,
  headKey,
  type Part,
  totalsKey,
} from '../../shared/store/form/totals-rows.ts';
import { generationOf, PARTS_OF_TOTAL, totalsParts } from '../../shared/store/items/count-totals.ts';
import { endPart, lastOf, newEpoch } from '../../shared/store/items/log-epochs.ts';
import { readKeys } from '../../shared/store/items/read-items.ts';
import { attributeNotExists, compare, or, updateExpression } from '../../shared/store/write/expression.ts';
import { portionsOf, sizeOf } from '../../shared/store/write/fitting.ts';
import { MAXIMUM_PARTS } from '../../shared/store/write/limits.ts';
import { transact } from '../../shared/store/write/transaction.ts';

/** A committed change of an item. */
export interface Committed {
  readonly resource: Pick<Resource, 'name' | 'keptTotals'> & { readonly history: { readonly days: number } };
  readonly id: number | string;
  /** The version that the change has made. A removal has a number of its own. */
  readonly version: number;
  /**
   * The previous version, which the log must already contain, and its time (ms); undefined after a
   * creation, and after an import.
   */
  readonly before: { readonly version: number; readonly time: number } | undefined;
  /** The time of the version, or of the last one before a removal: ms since the epoch. */
  readonly time: number;
  /** The CloudEvent without data, as JSON text. */
  readonly event: string;
  /** The attributes of the item after the change, or before its removal. */
  readonly image: Attributes;
  /** What the item adds to the totals of its resource after the change; undefined: the resource keeps none. */
  readonly adds?: readonly Part[];
}

/**
 * A change and the row of an item are two parts, and one part is the end of the partition. With totals, their head is another
 * one, and each item leaves and enters a group of each total.
 */
const mostChanges = ({ keptTotals = [] }: Committed['resource']): number =>
  Math.floor((MAXIMUM_PARTS - 2) / (2 + PARTS_OF_TOTAL * keptTotals.length));

const DAY_MS = 86_400_000;
/** Bytes of the other attributes in the rows of a change. */
const ROW_BYTES = 1000;
/** The partitions that are written at the same time. */
const TOGETHER = 8;

/** The log lacks the versions of an item after `last`, up to `before`. `last`: undefined if the log has none. */
export interface Gap {
  readonly resource: string;
  readonly id: number | string;
  readonly last: number | undefined;
  readonly before: number;
}

/**
 * Adds changes to the log: each version of an item once, and the changes of an item in order. It skips a change that the
 * log has. A transaction moves the end of a partition, so a reader never passes a change that becomes visible later.
 * Returns the gaps before the changes. A gap begins a new epoch of its partition.
 *
 * @throws Unavailable if DynamoDB does not respond, or if other writers continue to be faster
 */
export async function append(changes: readonly Committed[]): Promise<readonly Gap[]> {
  const byPartition = Map.groupBy(changes, ({ resource, id }) => partitionOf(resource, id));
  const gaps = await mapConcurrently(TOGETHER, [...byPartition], async ([partition, all]) => {
    const found: Gap[] = [];
    const most = Math.min(...all.map(({ resource }) => mostChanges(resource)));
    for (const some of portionsOf(all, most, bytesOf)) found.push(...(await appendTogether(partition, some)));
    return found;
  });
  return gaps.flat();
}

/** Bytes of the rows of a change. That of its item is short. */
const bytesOf = ({ image, event }: Committed): number => sizeOf(image) + Buffer.byteLength(event) + ROW_BYTES;

async function appendTogether(partition: string, changes: readonly Committed[]): Promise<readonly Gap[]> {
  const nameOf = ({ resource, id }: Pick<Committed, 'resource' | 'id'>) => `/${resource.name}/${id}`;
  const items = new Map(changes.map((one) => [nameOf(one), itemKey(one.resource, one.id)]));
  for await (const _ of attempts(RETRIES.transaction)) {
    const heads = changes.some(({ adds }) => adds) ? [headKey(partition)] : [];
    const rows = await readKeys(CHANGES_TABLE.name, [endKey(partition), ...heads, ...items.values()]);
    const logged = new Map(rows.map((row) => [row[CHANGES_TABLE.key]?.S, row]));
    const end = rows.find((row) => row[LAST]);
    const fresh = changes.filter((one) => !isLogged(one, logged.get(nameOf(one))));
    if (fresh.length === 0) return [];
    const now = currentTime();
    const versions = new Map(
      rows.flatMap((row) => (row[LOGGED] ? [[row[CHANGES_TABLE.key]?.S, Number(row[LOGGED]?.N)]] : [])),
    );
    const gaps = fresh.flatMap((one) => {
      const gap = gapBefore(one, { last: versions.get(nameOf(one)), end, now });
      versions.set(nameOf(one), one.version);
      return gap ?? [];
    });
    const head = logged.get(totalsKey(partition));
    const generation = generationOf(head);
    const last = [...new Map(fresh.map((one) => [one.id, one])).values()];
    const moves = last.map((one) => ({
      before: countedIn(logged.get(nameOf(one)), generation),
      after: one.adds ?? [],
    }));
    const parts = [
      ...partsOf(partition, fresh, { end, now, hasGap: gaps.length > 0 }),
      ...last.map((one) => rowOfItem(one, now, generation)),
      ...(heads.length > 0 ? await totalsParts(partition, head, moves, now) : []),
    ];
    if (!(await transact(parts))) return gaps;
  }
  throw new Unavailable(new Error(`The end of the partition ${partition} has moved in each attempt`));
}

/** True if the log has the change. An import of a removed item begins with a lower version at a later time. */
const isLogged = ({ version, time }: Committed, row: Attributes | undefined): boolean =>
  row !== undefined && version <= Number(row[LOGGED]?.N) && time <= Number(row[TIME]?.N);

/**
 * The gap before a change. `last`: the version of the item in the log. The row of an item outlives the history, so the log
 * has lost a later version of an item without a row, or another release has skipped it. `end`: the row of the partition.
 */
function gapBefore(
  { resource, id, before }: Committed,
  {
    last,
    end,
    now,
  }: { readonly last: number | undefined; readonly end: Attributes | undefined; readonly now: number },
): Gap | undefined {
  if (!before) return undefined;
  const whole = Math.max(
    Number(end?.[BEGAN]?.N ?? 0) / POSITIONS_OF_MS,
    now - resource.history.days * DAY_MS,
  );
  if (last === undefined ? before.time <= whole : last >= before.version) return undefined;
  return { resource: resource.name, id, last, before: before.version };
}

/** `hasGap`: the changes begin a new epoch. */
function partsOf(
  partition: string,
  changes: readonly Committed[],
  {
    end,
    now,
    hasGap,
  }: { readonly end: Attributes | undefined; readonly now: number; readonly hasGap: boolean },
): TransactWriteItem[] {
  const TableName = config.tableName(CHANGES_TABLE.name);
  const epoch = hasGap ? newEpoch(end, now) : undefined;
  let last = epoch?.began ?? lastOf(end);
  const rows = changes.map((one): TransactWriteItem => {
    const previous = last;
    last = Math.max(last + 1, now * POSITIONS_OF_MS);
    return {
      Put: {
        TableName,
        Item: {
          ...changeKey(partition, last),
          [PREVIOUS]: number(previous),
          [EVENT]: text(one.event),
          [IMAGE]: { M: one.image },
          [CHANGES_TABLE.timeToLive]: lifetimeOf(one, now),
        },
      },
    };
  });
  return [endPart(partition, end, { last, epoch }), ...rows];
}

/** Returns the part with the last version of an item, and what it adds to totals. Such a row has no end while the item exists. */
function rowOfItem(
  { resource, id, version, time, adds }: Committed,
  now: number,
  generation: string,
): TransactWriteItem {
  const [logged, at] = [number(version), number(time)];
  const ends = { [CHANGES_TABLE.timeToLive]: lifetimeOf({ resource }, now) };
  const isKept = adds !== undefined && adds.length > 0;
  return {
    Update: {
      TableName: config.tableName(CHANGES_TABLE.name),
      Key: itemKey(resource, id),
      ...updateExpression(
        {
          set: { [LOGGED]: logged, [TIME]: at, ...(isKept ? countedAs(generation, adds) : ends) },
          remove: isKept ? [CHANGES_TABLE.timeToLive] : adds ? [COUNTED] : [],
        },
        or(attributeNotExists(LOGGED), compare(LOGGED, '<', logged), compare(TIME, '<', at)),
      ),
    },
  };
}

/** A row outlives the history by a day. A reader from the beginning then has a day to read the first rows. */
const lifetimeOf = ({ resource }: Pick<Committed, 'resource'>, now: number) =>
  expiry(now + (resource.history.days + 1) * DAY_MS);
