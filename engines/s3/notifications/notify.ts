import { enqueue } from '../../sqs/enqueue.ts';
import { findQueue } from '../../sqs/sqs.ts';
import type { S3, StoredObject, Target } from '../s3.ts';
import { concerns, rulesOf } from './rules.ts';

/**
 * Sends notifications about an object to the queues of its bucket. Inside a transaction, the messages are part of it.
 * No event is lost, and no message describes an event that did not happen. A deleted queue gets no message.
 *
 * Source: S3 User Guide, "Event message structure".
 */
export function notify(s3: S3, { bucket, key }: Target, event: string, object?: StoredObject): void {
  for (const rule of rulesOf(s3, bucket)) {
    const queue = findQueue(s3, nameIn(rule.queue));
    if (!queue || !concerns(rule, event, key)) continue;
    const record = {
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: 'us-east-1',
      eventTime: new Date().toISOString(),
      eventName: event,
      userIdentity: { principalId: 'local' },
      requestParameters: { sourceIPAddress: '127.0.0.1' },
      responseElements: { 'x-amz-request-id': crypto.randomUUID() },
      s3: {
        s3SchemaVersion: '1.0',
        configurationId: rule.id,
        bucket: { name: bucket, ownerIdentity: { principalId: 'local' }, arn: `arn:aws:s3:::${bucket}` },
        object: {
          key: spelled(key),
          ...(object && { size: object.size, eTag: object.etag.replaceAll('"', '') }),
          sequencer: sequencer(s3),
        },
      },
    };
    enqueue(s3, queue, JSON.stringify({ Records: [record] }));
  }
}

/** Returns the queue name of an ARN. */
export const nameIn = (arn: string): string => arn.split(':').at(-1) as string;

/** Encoded as in a form: a space becomes a plus sign, slashes stay. */
const spelled = (key: string): string =>
  new URLSearchParams([['', key.toWellFormed()]]).toString().slice(1).replaceAll('%2F', '/');

/** An increasing number: the number of the future message, which is never reused. */
function sequencer({ storage }: S3): string {
  const row = storage.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'msg'");
  return ((row?.seq ?? 0) + 1).toString(16).toUpperCase().padStart(18, '0');
}
