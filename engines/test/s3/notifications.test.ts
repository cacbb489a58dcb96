import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketNotificationConfigurationCommand,
  ListObjectsV2Command,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  type QueueConfiguration,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeUnless } from '../../../test/support/skips/describe-unless.ts';
import { openClients, REAL, unique } from '../clients.ts';

const clients = openClients();
const { s3, sqs } = clients;
const Bucket = unique('notified');
let QueueUrl = '';
let QueueArn = '';

interface Notified {
  readonly eventName: string;
  readonly eventTime: string;
  readonly s3: {
    readonly configurationId: string;
    readonly bucket: { readonly name: string };
    readonly object: { key: string; size?: number; eTag?: string; sequencer: string };
  };
}

/** The next event of the queue. */
async function received(): Promise<Notified> {
  const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
  const { Messages: [message] = [] } = await sqs.send(receive);
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  return JSON.parse(message?.Body ?? '{}').Records?.[0] ?? JSON.parse(message?.Body ?? '{}');
}
const waiting = async () => {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages);
};
const configure = (rules: QueueConfiguration[]) =>
  s3.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { QueueConfigurations: rules },
    }),
  );
const put = (Key: string, Body: string, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const remove = (Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key }));

// A real queue needs a policy that lets S3 send. If S3 is not embedded, the queue is not either.
const real = REAL.s3 || REAL.sqs ? 'S3 and SQS are of another process' : undefined;

describeUnless(real, 'the notifications of a bucket', () => {
  beforeAll(async () => {
    await s3.send(new CreateBucketCommand({ Bucket }));
    QueueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: unique('events') }))).QueueUrl ?? '';
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
    QueueArn = (await sqs.send(asked)).Attributes?.QueueArn ?? '';
    await configure([
      {
        Id: 'files',
        QueueArn,
        Events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'],
        Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: 'files/' }] } },
      },
    ]);
  });

  test('first send a test message', async () => {
    expect(await received()).toMatchObject({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket });
  });

  test('return their rules', async () => {
    const { QueueConfigurations } = await s3.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
    expect(QueueConfigurations).toEqual([
      {
        Id: 'files',
        QueueArn,
        Events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'],
        Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: 'files/' }] } },
      },
    ]);
  });

  test('report creations and removals in a known order', async () => {
    const Key = 'files/a b+c/ü&"%.txt';
    await put(Key, 'hello');
    const created = await received();
    expect(created).toMatchObject({
      eventName: 'ObjectCreated:Put',
      eventTime: expect.stringMatching(/Z$/),
      s3: {
        configurationId: 'files',
        bucket: { name: Bucket },
        object: {
          key: 'files/a+b%2Bc/%C3%BC%26%22%25.txt',
          size: 5,
          eTag: createHash('md5').update('hello').digest('hex'),
        },
      },
    });
    expect(decodeURIComponent(created.s3.object.key.replaceAll('+', ' '))).toBe(Key);
    await remove(Key);
    const removed = await received();
    expect(removed).toMatchObject({
      eventName: 'ObjectRemoved:Delete',
      s3: { object: { key: created.s3.object.key } },
    });
    expect(removed.s3.object.sequencer > created.s3.object.sequencer).toBe(true);
  });

  test('report a multipart object at its completion', async () => {
    const upload = { Bucket, Key: 'files/parts' };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload));
    const part = { ...upload, UploadId, PartNumber: 1 };
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body: 'part' }));
    expect(await waiting()).toBe(0);
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    const whole = await s3.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload }));
    expect(await received()).toMatchObject({
      eventName: 'ObjectCreated:CompleteMultipartUpload',
      s3: { object: { key: 'files/parts', size: 4, eTag: whole.ETag?.replaceAll('"', '') } },
    });
  });

  test('report neither failed writes nor other keys', async () => {
    await put('other/key', 'x');
    await remove('files/never there');
    const refused = [
      put('files/parts', 'x', { IfNoneMatch: '*' }),
      put('files/new', 'x', { ContentMD5: createHash('md5').update('y').digest('base64') }),
    ];
    for (const one of refused) await expect(one).rejects.toThrow();
    expect(await waiting()).toBe(0);
  });

  test('end with the removal of the rules', async () => {
    await configure([]);
    await put('files/unseen', 'x');
    expect(await waiting()).toBe(0);
  });

  test('refuse a missing queue', async () => {
    const rule: QueueConfiguration = { QueueArn: `${QueueArn}-none`, Events: ['s3:ObjectCreated:*'] };
    await expect(configure([rule])).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

afterAll(async () => {
  if (REAL.s3 && QueueUrl !== '') {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key = '' } of Contents) await remove(Key);
    await s3.send(new DeleteBucketCommand({ Bucket }));
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  }
  await clients.close();
});
