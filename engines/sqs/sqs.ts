import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { Arrivals } from './arrivals.ts';

/** The context of every SQS operation. Queue URLs begin with `origin`. */
export interface Sqs {
  storage: Storage;
  arrivals: Arrivals;
  origin: string;
}

/** A queue with its attributes, including defaults. */
export interface Queue {
  id: number;
  name: string;
  attributes: { VisibilityTimeout: string; RedrivePolicy?: string };
}

/** The members of requests. Each operation accepts some of them. */
export interface SqsRequest {
  QueueName?: string;
  QueueUrl?: string;
  Attributes?: Partial<Queue['attributes']>;
  AttributeNames?: string[];
  MessageBody?: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
  MaxNumberOfMessages?: number;
  WaitTimeSeconds?: number;
  MessageSystemAttributeNames?: string[];
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
}

/** Returns the queue with that name. */
export function findQueue({ storage }: Pick<Sqs, 'storage'>, name: string): Queue | undefined {
  const select = 'SELECT id, attributes FROM queue WHERE name = ?';
  const row = storage.get<{ id: number; attributes: string }>(select, name);
  return row && { id: row.id, name, attributes: { VisibilityTimeout: '30', ...JSON.parse(row.attributes) } };
}

/**
 * Returns the queue of a URL or an ARN. @throws QueueDoesNotExist
 */
export function queueAt(sqs: Sqs, address: string | undefined): Queue {
  const queue = findQueue(sqs, (address ?? '').split(/[/:]/).at(-1) ?? '');
  if (!queue) throw new Fault('QueueDoesNotExist', 'The specified queue does not exist.');
  return queue;
}

/** `http://host/account/name`. */
export function queueUrl({ origin }: Sqs, name: string): string {
  return `${origin}/000000000000/${name}`;
}

/** Checks a number from a request. @throws InvalidParameterValue */
export function within(parameter: string, value: number, low: number, high: number): number {
  if (value >= low && value <= high) return value;
  throw new Fault('InvalidParameterValue', `${parameter} must be between ${low} and ${high}, not ${value}.`);
}
