import {
  GetBucketNotificationConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3';
import type { QueueRule } from 'embedded-aws';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { names } from '../provision/names.ts';

/** The queues of notifications, by their ARNs or URLs. `large`: the queue of uploads in parts. */
export interface Notified {
  readonly small: string;
  readonly large: string;
}

/** Returns the notification rules of the bucket, as in the template of the stack. */
const rulesFor = ({ small, large }: Notified) =>
  [
    {
      id: 'files',
      queue: small,
      events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'],
      prefix: FILES,
      suffix: '',
    },
    { id: 'uploads', queue: small, events: ['s3:ObjectCreated:Put'], prefix: STAGED, suffix: '' },
    {
      id: 'large-uploads',
      queue: large,
      events: ['s3:ObjectCreated:CompleteMultipartUpload'],
      prefix: STAGED,
      suffix: '',
    },
  ] as const satisfies readonly QueueRule[];

/** Makes S3 notify queues of files. S3 sends a test message for each new rule, so this sets the rules only once. */
export async function notify(queueArns: Notified): Promise<void> {
  const Bucket = names.bucket;
  const { QueueConfigurations = [] } = await s3().send(
    new GetBucketNotificationConfigurationCommand({ Bucket }),
  );
  const rules = rulesFor(queueArns).map(({ id, queue, events, prefix }) => ({
    Id: id,
    QueueArn: queue,
    Events: [...events],
    Filter: { Key: { FilterRules: [{ Name: 'prefix' as const, Value: prefix }] } },
  }));
  if (rules.every(({ Id }) => QueueConfigurations.some((rule) => rule.Id === Id))) return;
  await s3().send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { QueueConfigurations: rules },
    }),
  );
}

/**
 * Makes a bridge notify queues, because S3 cannot. `rulesUrl`: the address at which the bridge takes the rules of
 * buckets.
 */
export async function notifyOverBridge(rulesUrl: string, queueUrls: Notified): Promise<void> {
  const url = new URL(`/${names.bucket}`, rulesUrl);
  const { status } = await fetch(url, { method: 'PUT', body: JSON.stringify(rulesFor(queueUrls)) });
  if (status !== 204) throw new Error(`${url} responds with status ${status}`);
}
