import {
  GetBucketNotificationConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3';
import type { QueueRule } from '../../engines/s3/notifications.ts';
import { s3 } from '../../shared/aws/s3.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { names } from '../names.ts';

/** What the bucket tells of files, to a queue: its ARN, or its URL. */
const rulesFor = (queue: string) =>
  [
    { id: 'files', queue, events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'], prefix: FILES, suffix: '' },
    { id: 'uploads', queue, events: ['s3:ObjectCreated:*'], prefix: STAGED, suffix: '' },
  ] as const satisfies readonly QueueRule[];

/** Has S3 tell a queue of files. Each new rule begins with a test message, so that it is set once. */
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

/** Has a bridge tell a queue, where S3 cannot. `rulesUrl`: where the bridge takes the rules of buckets. */
export async function notifyOverBridge(rulesUrl: string, queueUrl: string): Promise<void> {
  const url = new URL(`/${names.bucket}`, rulesUrl);
  const { status } = await fetch(url, { method: 'PUT', body: JSON.stringify(rulesFor(queueUrl)) });
  if (status !== 204) throw new Error(`${url} answers ${status}`);
}
