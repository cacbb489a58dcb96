import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { FAN_OUT, HEAD, TableName, waitingKey } from './waiting-table.ts';

/** The service reads subscriptions again after this time, in ms: an earlier release sets no revision. */
export const LONGEST_IDLE_MS = 300_000;

/**
 * The state of all subscriptions. `revision`: another text after each change of one of them. `idleUntil`: with this
 * revision, no subscription is active, and the fan-out does nothing until then (ms since the epoch).
 */
export interface SubscriptionsState {
  readonly revision: string | undefined;
  readonly idleUntil: number;
}

/** Reads the state, as last written. @throws Unavailable if DynamoDB does not respond */
export async function subscriptionsState(): Promise<SubscriptionsState> {
  const get = { TableName: TableName(), Key: waitingKey(FAN_OUT, HEAD), ConsistentRead: true };
  const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  return { revision: Item?.revision?.S, idleUntil: Number(Item?.idleUntil?.N ?? 0) };
}
