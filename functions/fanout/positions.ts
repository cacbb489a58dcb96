import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import {
  FAN_OUT,
  HEAD,
  type SubscriptionsState,
  TableName,
  WAITING_TABLE,
  waitingKey,
} from '../../shared/events/webhooks/waiting-table.ts';
import { number, text } from '../../shared/store/form/attributes.ts';
import {
  BEGAN,
  CHANGES_TABLE,
  ENDS,
  EPOCH,
  LAST,
  OF,
  resourceOfPartition,
} from '../../shared/store/form/log-table.ts';
import { failureOf } from '../../shared/store/write/conflict.ts';
import {
  and,
  attributeNotExists,
  compare,
  or,
  readExpression,
  updateExpression,
} from '../../shared/store/write/expression.ts';

/** Notes that no subscription is active, unless one has changed since. @throws Unavailable if DynamoDB does not respond */
export async function noteIdle({ revision }: SubscriptionsState, until: number): Promise<void> {
  await conditionally(
    updateExpression(
      { set: { idleUntil: number(until) } },
      revision === undefined ? attributeNotExists('revision') : compare('revision', '=', text(revision)),
    ),
    HEAD,
  );
}

/** How far the fan-out is in a partition of the log. `epoch`: undefined before the first one. */
export interface FanOutPosition {
  readonly partition: string;
  readonly position: number | undefined;
  readonly epoch: string | undefined;
  readonly leaseUntil: number;
}

/** Reads the positions that the fan-out has stored, by partition. @throws Unavailable if DynamoDB does not respond */
async function fanOutPositions(): Promise<ReadonlyMap<string, FanOutPosition>> {
  const query = {
    TableName: TableName(),
    ...readExpression({ key: compare(WAITING_TABLE.key, '=', number(FAN_OUT)) }),
    ConsistentRead: true,
  };
  const { Items = [] } = await orUnavailable(dynamoDb().send(new QueryCommand(query)));
  return new Map(
    Items.map((row) => {
      const partition = row[WAITING_TABLE.sort]?.S ?? '';
      const position = row.position && Number(row.position.N);
      return [
        partition,
        { partition, position, epoch: row.epoch?.S, leaseUntil: Number(row.leaseUntil?.N ?? 0) },
      ];
    }),
  );
}

/** The end of a partition of the log. `began`: the log has every change after this position. */
export interface PartitionEnd {
  readonly partition: string;
  readonly last: number;
  readonly began: number;
  readonly epoch: string | undefined;
}

/** Returns the ends of the partitions after which the fan-out is not, and its position there. @throws Unavailable */
export async function partitionsBehind(
  isFollowed: (resource: string) => boolean,
): Promise<readonly { readonly end: PartitionEnd; readonly at: FanOutPosition }[]> {
  const query = {
    TableName: config.tableName(CHANGES_TABLE.name),
    ...readExpression({ key: compare(CHANGES_TABLE.key, '=', text(ENDS)) }),
    ConsistentRead: true,
  };
  const { Items = [] } = await orUnavailable(dynamoDb().send(new QueryCommand(query)));
  const positions = await fanOutPositions();
  return Items.flatMap((row) => {
    const partition = row[OF]?.S ?? '';
    const [end, none] = [
      { partition, last: Number(row[LAST]?.N), began: Number(row[BEGAN]?.N ?? 0), epoch: row[EPOCH]?.S },
      { partition, position: undefined, epoch: undefined, leaseUntil: 0 },
    ];
    const at = positions.get(partition) ?? none;
    const isBehind = (at.position ?? -1) < end.last || at.epoch !== end.epoch;
    return isFollowed(resourceOfPartition(partition)) && isBehind ? [{ end, at }] : [];
  });
}

/** Takes the lease of a partition. False: another run has it, or has moved the position. @throws Unavailable */
export const takePartition = (
  { partition, position }: FanOutPosition,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> =>
  conditionally(
    updateExpression(
      { set: { leaseUntil: number(until) } },
      and(
        or(attributeNotExists('leaseUntil'), compare('leaseUntil', '<=', number(now))),
        position === undefined ? attributeNotExists('position') : compare('position', '=', number(position)),
      ),
    ),
    partition,
  );

/** Stores a new position and ends the lease, if this run still has it. @throws Unavailable if DynamoDB does not respond */
export const leavePartition = (
  { partition, position, epoch }: Omit<FanOutPosition, 'leaseUntil'>,
  leaseUntil: number,
): Promise<boolean> =>
  conditionally(
    updateExpression(
      {
        set: {
          ...(position === undefined ? {} : { position: number(position) }),
          ...(epoch === undefined ? {} : { epoch: text(epoch) }),
        },
        remove: ['leaseUntil', ...(epoch === undefined ? ['epoch'] : [])],
      },
      compare('leaseUntil', '=', number(leaseUntil)),
    ),
    partition,
  );

/** Changes a row of the fan-out. False: its condition failed. */
async function conditionally(update: ReturnType<typeof updateExpression>, event: string): Promise<boolean> {
  try {
    const command = { TableName: TableName(), Key: waitingKey(FAN_OUT, event), ...update };
    await orUnavailable(dynamoDb().send(new UpdateItemCommand(command)));
    return true;
  } catch (error) {
    if (!failureOf(error)) throw error;
    return false;
  }
}
