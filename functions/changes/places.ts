import { createHash } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { text } from '../../shared/store/form/attributes.ts';
import { BEGAN, CHANGES_TABLE, ENDS, EPOCH, LAST, OF } from '../../shared/store/form/log-table.ts';
import { compare, readExpression } from '../../shared/store/write/expression.ts';

/** Where a reader wants to begin in a partition. */
export interface Start {
  /** The name of the resource. */
  readonly resource: string;
  readonly partition: string;
  /** The days of the history of the resource. */
  readonly days: number;
  /** The reader has passed the changes up to this position. */
  readonly after: number;
  /** The epoch in which the log gave the position; undefined: it gave none. */
  readonly epoch?: string | undefined;
  /** True if a time chose the position. The place of the reader is then that of the last change before. */
  readonly isByTime?: boolean;
  /** A reader without an epoch needs each change after this position; undefined: it begins with the oldest change. */
  readonly needs?: number | undefined;
}

/** A place of the current epoch. */
export interface LogPlace extends Start {
  readonly epoch: string;
  /** The last position of the partition. */
  readonly last: number;
}

/**
 * Finds the places of a reader in the current epochs of partitions. Returns undefined if the log lacks changes that the
 * reader needs: its epoch has ended.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 17.7.
 */
export async function locate(starts: readonly Start[]): Promise<readonly LogPlace[] | undefined> {
  const ends = await readEnds();
  const places: LogPlace[] = [];
  for (const start of starts) {
    const end = ends.get(start.partition);
    const epoch = epochOf(start.resource, end?.[EPOCH]?.S);
    const began = Number(end?.[BEGAN]?.N ?? 0);
    const isWhole = start.epoch === undefined ? began <= (start.needs ?? began) : start.epoch === epoch;
    if (!isWhole) return undefined;
    const last = Number(end?.[LAST]?.N ?? 0);
    const after = start.isByTime ? Math.min(start.after, last) : start.after;
    places.push({ ...start, epoch, after: Math.max(after, began), last });
  }
  return places;
}

/**
 * The epoch of a partition in cursors: 32 bits in base 36, seven characters. CloudFormation chooses the names of tables, so
 * another table of items or of the log is another epoch. `stored`: the text in the row of the partition.
 */
function epochOf(resource: string, stored = ''): string {
  const names = [CHANGES_TABLE.name, resource].map((one) => config.tableName(one));
  return createHash('sha256')
    .update([...names, stored].join(' '))
    .digest()
    .readUInt32BE()
    .toString(36)
    .padStart(7, '0');
}

/** The rows of the partitions that have one, by the names of the partitions. */
async function readEnds(): Promise<ReadonlyMap<string, Attributes>> {
  const { Items = [] } = await orUnavailable(
    dynamoDb().send(
      new QueryCommand({
        TableName: config.tableName(CHANGES_TABLE.name),
        ...readExpression({
          key: compare(CHANGES_TABLE.key, '=', text(ENDS)),
          only: [OF, LAST, EPOCH, BEGAN],
        }),
      }),
    ),
  );
  return new Map(Items.map((row) => [row[OF]?.S ?? '', row]));
}
