import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { orUnavailable } from '../aws/faults.ts';
import type { Attributes } from '../store/items/attributes.ts';
import { CREATED, DUE_INDEX } from '../store/items/table.ts';
import { operations } from './operations.ts';
import { change, number } from './record.ts';

/** Those that one sweep looks after at most, in each shard. */
const AT_ONCE = 100;

/** How long a message may take to be sent and begun, in ms, before the sweeper sends another one. */
export const redeliveryDelay = (): number => 2 * config.leaseTime();

/** An operation that should have gone on by now. */
export interface Overdue {
  readonly id: number;
  readonly owner: string;
  readonly kind: string;
  readonly dueAt: number;
  readonly createdAt: number;
}

/**
 * Operations whose message was never sent, or whose worker was silent for longer than its lease.
 * @throws Unavailable when DynamoDB does not answer
 */
export async function overdueOperations(now: number): Promise<Overdue[]> {
  const shards = Array.from({ length: config.shards() }, (_, shard) => shard);
  const found = await Promise.all(
    shards.map((shard) =>
      orUnavailable(
        dynamoDb().send(
          new QueryCommand({
            TableName: config.tableName(operations.name),
            IndexName: DUE_INDEX.name,
            KeyConditionExpression: '#pending = :shard AND #due < :now',
            ExpressionAttributeNames: { '#pending': DUE_INDEX.partition, '#due': DUE_INDEX.sort.name },
            ExpressionAttributeValues: { ':shard': number(shard), ':now': number(now) },
            Limit: AT_ONCE,
          }),
        ),
      ),
    ),
  );
  return found.flatMap(({ Items = [] }) => Items.map(dueOf));
}

const dueOf = (attributes: Attributes): Overdue => ({
  id: Number(attributes.operationId?.N),
  owner: attributes._owner?.N ?? '0',
  kind: attributes.kind?.S ?? '',
  dueAt: Number(attributes._dueAt?.N),
  createdAt: Number(attributes[CREATED]?.N),
});

/**
 * Looks after it again at a later time, unless somebody else has gone on with it: the later the older it is, since one that
 * waits behind many others has a message already.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function snooze({ id, dueAt, createdAt }: Overdue, now: number): Promise<void> {
  const until = now + Math.max(redeliveryDelay(), Math.round((now - createdAt) / 2));
  await change(id, {
    now: Date.now(),
    set: { _dueAt: number(until) },
    hidden: true,
    condition: '#_dueAt = :before',
    given: { before: number(dueAt) },
  });
}
