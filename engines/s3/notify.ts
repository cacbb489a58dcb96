import { enqueue } from '../sqs/enqueue.ts';
import { findQueue } from '../sqs/sqs.ts';
import { concerns, rulesOf } from './notifications.ts';
import type { S3, StoredObject, Target } from './s3.ts';

/**
 * Tells the queues of a bucket what happened to an object. Within a transaction the messages are part of it: no event is
 * lost, and none tells of what did not happen. A queue that is gone is told nothing.
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

/** The name in a queue's ARN. */
export const nameIn = (arn: string): string => arn.split(':').at(-1) as string;

/** As in a form, so that a space is a plus; slashes stay. */
const spelled = (key: string): string =>
  new URLSearchParams([['', key.toWellFormed()]]).toString().slice(1).replaceAll('%2F', '/');

/** Grows with every event: the number of the message that it will be, which is never used again. */
function sequencer({ storage }: S3): string {
  const row = storage.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'msg'");
  return ((row?.seq ?? 0) + 1).toString(16).toUpperCase().padStart(18, '0');
}
