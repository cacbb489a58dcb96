import { PutBucketNotificationConfigurationCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Name } from './options.ts';
import { CREDENTIALS, REGION } from './place.ts';
import { WEBHOOK_ARN } from './servers/minio.ts';

/**
 * Makes an S3 engine notify the bridge of a bucket's objects. versitygw sends notifications of all buckets without
 * rules.
 */
export async function notifyBridge(engine: S3Name, port: number, Bucket: string): Promise<void> {
  if (engine === 'versitygw') return;
  const s3 = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: REGION,
    credentials: CREDENTIALS,
    forcePathStyle: true,
  });
  const all = {
    QueueArn: WEBHOOK_ARN,
    Events: ['s3:ObjectCreated:*' as const, 's3:ObjectRemoved:*' as const],
  };
  const NotificationConfiguration = { QueueConfigurations: [all] };
  await s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
}
