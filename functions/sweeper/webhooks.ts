import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { sendFanOut, sendWake } from '../../shared/aws/clients/queue.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { type Head, headOf, laneOf, updateHead } from '../../shared/events/webhooks/heads.ts';
import {
  BY_NEXT,
  SHARDS,
  subscriptionsState,
  TableName,
} from '../../shared/events/webhooks/waiting-table.ts';
import { number } from '../../shared/store/form/attributes.ts';
import { and, attributeNotExists, compare, readExpression } from '../../shared/store/write/expression.ts';

/** The most heads of a partition that one sweep finds. */
const AT_ONCE = 100;

/**
 * Wakes the fan-out, in case its message was lost, and the runs of receivers that are due: their messages were lost,
 * their runs have crashed, or no message waited for their time. `now`: ms since the epoch.
 *
 * @throws Unavailable or an error of the SDK if DynamoDB or SQS does not respond
 *
 * Source: Specification 18.8.
 */
export async function sweepWebhooks(now: number): Promise<void> {
  if ((await subscriptionsState()).idleUntil <= now) await sendFanOut();
  for (const head of await dueHeads(now))
    if (isUnwoken(head, now) && (await noteWake(head, now)))
      await sendWake(laneOf(head.state), head.subscription);
}

/** True if a due head needs a message. The pauses between messages double, because an old one probably waits in its queue. */
const isUnwoken = ({ nextAt = 0, wokenAt }: Head, now: number): boolean =>
  wokenAt === undefined ||
  wokenAt < nextAt ||
  now - wokenAt >= Math.max(config.sweepTime(), wokenAt - nextAt);

/** Returns the due heads that no run has. @throws Unavailable if DynamoDB does not respond */
async function dueHeads(now: number): Promise<readonly Head[]> {
  const found = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => {
      const isDue = and(
        compare(BY_NEXT.partition, '=', number(shard)),
        compare(BY_NEXT.sort.name, '<=', number(now)),
      );
      const query = { TableName: TableName(), IndexName: BY_NEXT.name, ...readExpression({ key: isDue }) };
      return orUnavailable(dynamoDb().send(new QueryCommand({ ...query, Limit: AT_ONCE })));
    }),
  );
  return found.flatMap(({ Items = [] }) => Items.map(headOf)).filter(({ leaseUntil }) => leaseUntil <= now);
}

/** Notes that the sweeper wakes a head. False: another sweep does. @throws Unavailable if DynamoDB does not respond */
const noteWake = async ({ subscription, nextAt = 0, wokenAt }: Head, now: number): Promise<boolean> =>
  (
    await updateHead(
      subscription,
      { set: { wokenAt: number(now) } },
      and(
        compare('nextAt', '=', number(nextAt)),
        wokenAt === undefined ? attributeNotExists('wokenAt') : compare('wokenAt', '=', number(wokenAt)),
      ),
    )
  ).isDone;
