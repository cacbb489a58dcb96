import {
  GetBucketNotificationConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3';
import type { QueueRule } from '../../engines/s3/notifications.ts';
import { s3 } from '../../shared/aws/s3.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { names } from '../names.ts';

/** The notification rules of the bucket for a queue: its ARN, or its URL. */
const rulesFor = (queue: string) =>
  [
    { id: 'files', queue, events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'], prefix: FILES, suffix: '' },
    { id: 'uploads', queue, events: ['s3:ObjectCreated:*'], prefix: STAGED, suffix: '' },
  ] as const satisfies readonly QueueRule[];

/** Makes S3 notify a queue of files. S3 sends a test message for each new rule, so this sets the rules only once. */
export async function notify(queueArn: string): Promise<void> {
  const Bucket = names.bucket;
  const { QueueConfigurations = [] } = await s3().send(
    new GetBucketNotificationConfigurationCommand({ Bucket }),
  );
  const rules = rulesFor(queueArn).map(({ id, queue, events, prefix }) => ({
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
 * Makes a bridge notify a queue, because S3 cannot. `rulesUrl`: the address at which the bridge takes the rules of
 * buckets.
 */
export async function notifyOverBridge(rulesUrl: string, queueUrl: string): Promise<void> {
  const url = new URL(`/${names.bucket}`, rulesUrl);
  const { status } = await fetch(url, { method: 'PUT', body: JSON.stringify(rulesFor(queueUrl)) });
  if (status !== 204) throw new Error(`${url} responds with status ${status}`);
}
