import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { storedOperations } from '../../shared/operations/record/operations.ts';
import { change, redeliveryDelay } from '../../shared/operations/record/record.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { number } from '../../shared/store/form/attributes.ts';
import { CREATED, DUE_AT, DUE_INDEX } from '../../shared/store/form/table.ts';
import { and, compare, readExpression } from '../../shared/store/write/expression.ts';
import { inventoryOf } from '../../shared/store/write/stored-inventory.ts';

/** The maximum number of operations in one sweep of a shard. */
const AT_ONCE = 100;

/** An operation whose message or worker is late. Times are ms since the epoch. */
export interface Overdue {
  readonly id: number;
  readonly owner: string;
  readonly dueAt: number;
  readonly createdAt: number;
}

/**
 * The operations without a delivered message, and those whose worker did not renew its lease. `now`: ms since the
 * epoch. Source: Specification 7.14.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function overdueOperations(now: number): Promise<Overdue[]> {
  const { shards: length = config.shards() } = (await inventoryOf(storedOperations)) ?? {};
  const shards = Array.from({ length }, (_, shard) => shard);
  const found = await Promise.all(
    shards.map((shard) =>
      orUnavailable(
        dynamoDb().send(
          new QueryCommand({
            TableName: config.tableName(storedOperations.name),
            IndexName: DUE_INDEX.name,
            ...readExpression({
              key: and(
                compare(DUE_INDEX.partition, '=', number(shard)),
                compare(DUE_INDEX.sort.name, '<', number(now)),
              ),
            }),
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
  dueAt: Number(attributes._dueAt?.N),
  createdAt: Number(attributes[CREATED]?.N),
});

/**
 * Postpones the next check of an operation, unless another run has continued it. The delay grows with the age of the
 * operation: an old one probably has a message already, behind many others.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function snooze({ id, dueAt, createdAt }: Overdue, now: number): Promise<void> {
  const until = now + Math.max(redeliveryDelay(), Math.round((now - createdAt) / 2));
  await change(id, {
    now: currentTime(),
    set: { [DUE_AT]: number(until) },
    hidden: true,
    condition: compare(DUE_AT, '=', number(dueAt)),
  });
}
