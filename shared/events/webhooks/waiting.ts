import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { expiry, number, text } from '../../store/form/attributes.ts';
import type { CloudEvent } from '../cloud-event.ts';
import { TableName, WAITING_TABLE, waitingKey } from './waiting-table.ts';

/** A row outlives all attempts, in ms. */
const KEPT_MS = 14 * 86_400_000;

/** The place of a change in the log. */
export interface ChangePlace {
  readonly partition: string;
  readonly position: number;
}

/**
 * An event before an attempt: its id, its type and its subject. `change`: its place in the log. `test`: the event of a
 * test, which says nothing about an item. One with neither has no data any more.
 */
export interface PendingEvent {
  readonly event: string;
  readonly type: string;
  readonly subject: string;
  readonly change?: ChangePlace | undefined;
  readonly test?: CloudEvent | undefined;
}

/** An event that waits for its receiver. `time`: of the event. `attempt`: the number of attempts so far. */
export interface WaitingRow extends PendingEvent {
  readonly subscription: number;
  readonly change: ChangePlace;
  readonly time: number;
  readonly attempt: number;
  readonly dueAt: number;
}

/** Stores a new row. A repeated one begins its attempts anew. @throws Unavailable if DynamoDB does not respond */
export async function addWaiting({ change, ...row }: Omit<WaitingRow, 'attempt'>): Promise<void> {
  const { subscription, event, type, subject, time, dueAt } = row;
  const put = new PutItemCommand({
    TableName: TableName(),
    Item: {
      ...waitingKey(subscription, event),
      type: text(type),
      subject: text(subject),
      partition: text(change.partition),
      position: number(change.position),
      time: number(time),
      attempt: number(0),
      dueAt: number(dueAt),
      [WAITING_TABLE.timeToLive]: expiry(dueAt + KEPT_MS),
    },
  });
  await orUnavailable(dynamoDb().send(put));
}
