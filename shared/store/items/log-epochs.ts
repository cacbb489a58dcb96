import { randomUUID } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { number, text } from '../form/attributes.ts';
import {
  BEGAN,
  CHANGES_TABLE,
  EPOCH,
  endKey,
  LAST,
  OF,
  POSITIONS_OF_MS,
  partitionsOf,
} from '../form/log-table.ts';
import { attributeNotExists, compare, updateExpression } from '../write/expression.ts';
import { transact } from '../write/transaction.ts';
import { readKeys } from './read-items.ts';

/** An epoch of a partition: the log has each change after the position `began`. */
export interface Epoch {
  readonly text: string;
  readonly began: number;
}

/** Returns the last position of a partition. `end`: its row. */
export const lastOf = (end: Attributes | undefined): number => Number(end?.[LAST]?.N ?? 0);

/** Returns the epoch that begins now in a partition. `end`: its row. */
export const newEpoch = (end: Attributes | undefined, now: number): Epoch => ({
  text: randomUUID(),
  began: Math.max(lastOf(end) + 1, now * POSITIONS_OF_MS),
});

/** Moves the end of a partition, if no other writer has moved it since. `end`: its row before. */
export const endPart = (
  partition: string,
  end: Attributes | undefined,
  { last, epoch }: { readonly last: number; readonly epoch: Epoch | undefined },
): TransactWriteItem => ({
  Update: {
    TableName: config.tableName(CHANGES_TABLE.name),
    Key: endKey(partition),
    ...updateExpression(
      {
        set: {
          [LAST]: number(last),
          [OF]: text(partition),
          ...(epoch ? { [EPOCH]: text(epoch.text), [BEGAN]: number(epoch.began) } : {}),
        },
      },
      end ? compare(LAST, '=', number(lastOf(end))) : attributeNotExists(LAST),
    ),
  },
});

/**
 * Begins a new epoch in the partitions of a resource: each reader with an earlier place gets 410. `known`: only in those
 * that have had a change or an epoch.
 *
 * @throws Unavailable if DynamoDB does not respond, or if other writers continue to be faster
 */
export async function beginEpoch(
  resource: { readonly name: string },
  { known = false }: { readonly known?: boolean } = {},
): Promise<void> {
  for await (const _ of attempts(RETRIES.transaction)) {
    const rows = await readKeys(CHANGES_TABLE.name, partitionsOf(resource).map(endKey));
    const parts = partitionsOf(resource).flatMap((partition) => {
      const end = rows.find((row) => row[OF]?.S === partition);
      if (known && !end) return [];
      const epoch = newEpoch(end, currentTime());
      return [endPart(partition, end, { last: epoch.began, epoch })];
    });
    if (parts.length === 0 || !(await transact(parts))) return;
  }
  throw new Unavailable(
    new Error(`The ends of the partitions of ${resource.name} have moved in each attempt`),
  );
}
