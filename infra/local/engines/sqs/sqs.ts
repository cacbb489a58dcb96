import { Fault } from '../fault.ts';
import { type JsonOperation, jsonOperation } from '../json-protocol.ts';
import type { Storage } from '../storage.ts';
import type { Arrivals } from './arrivals.ts';

/** What every SQS operation works on. `clock` in milliseconds since 1970; `origin` begins the queue URLs. */
export interface Sqs {
  storage: Storage;
  arrivals: Arrivals;
  clock: () => number;
  origin: string;
}

/** A queue; `attributes` are those that were set at creation. */
export interface Queue {
  id: number;
  name: string;
  created: number;
  attributes: Readonly<Record<string, string>>;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  VisibilityTimeout: '30',
  MessageRetentionPeriod: '345600',
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  ReceiveMessageWaitTimeSeconds: '0',
};

/** An SQS operation that accepts exactly the named members. */
export function operation<Request extends object>(
  accepts: readonly (keyof Request & string)[],
  run: (sqs: Sqs, request: Request) => object | Promise<object>,
): JsonOperation<Sqs> {
  return jsonOperation<Sqs, Request>(accepts, run);
}

/** The queue of that name. */
export function findQueue({ storage }: Sqs, name: string): Queue | undefined {
  const row = storage.get<Omit<Queue, 'attributes'> & { attributes: string }>(
    'SELECT * FROM queue WHERE name = ?',
    name,
  );
  return (
    row && { ...row, attributes: { ...DEFAULTS, ...(JSON.parse(row.attributes) as Queue['attributes']) } }
  );
}

/** The queue of a URL or an ARN. @throws QueueDoesNotExist */
export function queueAt(sqs: Sqs, address: string | undefined): Queue {
  const queue = findQueue(sqs, (address ?? '').split(/[/:]/).at(-1) ?? '');
  if (!queue) throw new Fault('QueueDoesNotExist', 'The specified queue does not exist.');
  return queue;
}

/** `http://host/account/name`. */
export function queueUrl({ origin }: Sqs, name: string): string {
  return `${origin}/000000000000/${name}`;
}

/** The queue's ARN. */
export function queueArn(name: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${name}`;
}

/** An attribute in seconds, as milliseconds. */
export function milliseconds(queue: Queue, attribute: string): number {
  return Number(queue.attributes[attribute]) * 1000;
}

/** A parameter outside its range. */
export function badParameter(reason: string): Fault {
  return new Fault('InvalidParameterValue', reason);
}
