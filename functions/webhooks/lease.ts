import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { webhookConfig } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import {
  type Head,
  headOf,
  nextAttempt,
  notAfter,
  type ReceiverState,
  updateHead,
} from '../../shared/events/webhooks/heads.ts';
import { BY_NEXT, HEAD, TableName, waitingKey } from '../../shared/events/webhooks/waiting-table.ts';
import { number } from '../../shared/store/form/attributes.ts';
import { failureOf } from '../../shared/store/write/conflict.ts';
import { and, compare, conditionExpression } from '../../shared/store/write/expression.ts';

/** Takes the lease of a due head; undefined: it is not due, or another run has it. @throws Unavailable */
export async function takeHead(subscription: number, now: number): Promise<Head | undefined> {
  const isDue = and(compare('nextAt', '<=', number(now)), notAfter('leaseUntil', now));
  const set = { leaseUntil: number(now + webhookConfig.lease()) };
  const { isDone, head } = await updateHead(subscription, { set }, isDue);
  return isDone ? head : undefined;
}

/** The end of a run: the state of its receiver, the number of rows that it removed, and the time of the next attempt. */
export interface Ending {
  readonly state: ReceiverState;
  readonly removed: number;
  readonly nextAt: number | undefined;
}

/**
 * Ends the lease of a head. `unraised`: only if nothing was added since the run has read the head. Returns the changed head
 * otherwise; undefined: the lease has ended. @throws Unavailable if DynamoDB does not respond
 */
export async function releaseHead(
  { subscription, leaseUntil, raised }: Head,
  { state: { streak, failures, failingSince, pausedUntil }, removed, nextAt }: Ending,
  { unraised }: { readonly unraised: boolean },
): Promise<Head | undefined> {
  const optional = { failingSince, pausedUntil, nextAt };
  const isMine = compare('leaseUntil', '=', number(leaseUntil));
  const { isDone, head } = await updateHead(
    subscription,
    {
      set: {
        streak: number(streak),
        failures: number(failures),
        ...(nextAt === undefined ? { waiting: number(0) } : nextAttempt(subscription, nextAt)),
        ...Object.fromEntries(
          Object.entries({ failingSince, pausedUntil }).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, number(value)]],
          ),
        ),
      },
      add: nextAt === undefined ? {} : { waiting: number(-removed) },
      remove: [
        'leaseUntil',
        'wokenAt',
        ...Object.entries(optional).flatMap(([name, value]) => (value === undefined ? [name] : [])),
        ...(nextAt === undefined ? [BY_NEXT.partition] : []),
      ],
    },
    unraised ? and(isMine, compare('raised', '=', number(raised))) : isMine,
  );
  return isDone || head.leaseUntil !== leaseUntil ? undefined : head;
}

/**
 * Removes a head with its lease, if nothing was added since the run has read it. Returns the changed head otherwise;
 * undefined: it is removed, or the lease has ended. @throws Unavailable if DynamoDB does not respond
 */
export async function removeHead({ subscription, leaseUntil, raised }: Head): Promise<Head | undefined> {
  const isSame = and(compare('leaseUntil', '=', number(leaseUntil)), compare('raised', '=', number(raised)));
  const command = new DeleteItemCommand({
    TableName: TableName(),
    Key: waitingKey(subscription, HEAD),
    ...conditionExpression(isSame),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await orUnavailable(dynamoDb().send(command));
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const head = headOf(failure.Item ?? {});
    return head.leaseUntil === leaseUntil ? head : undefined;
  }
}
