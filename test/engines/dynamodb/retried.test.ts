import {
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { beforeEach, expect, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { handler as uploads } from '../../../functions/uploads/handler.ts';
import { handler as worker } from '../../../functions/worker/handler.ts';
import { ATTEMPTS } from '../../../infra/attempts.ts';
import { names, queueUrl } from '../../../local/provision/names.ts';
import { currentSettings } from '../../../shared/aws/clients/client.ts';
import { timePasses } from '../../support/clock.ts';
import { attached } from '../attached.ts';
import { collectLog } from '../collected-log.ts';

/** Seconds of each ChangeMessageVisibility, with its queue. */
let hidden: [string, number][] = [];

// SQS works, and the other engines fail.
attached((call, pass) => {
  const [{ headers, body }] = call;
  const target = headers['x-amz-target'];
  if (isDown && !target?.startsWith('AmazonSQS'))
    throw Object.assign(new Error('Connection reset'), { code: 'ECONNRESET' });
  if (target === 'AmazonSQS.ChangeMessageVisibility') {
    const { QueueUrl, VisibilityTimeout } = JSON.parse(
      new TextDecoder().decode(new Uint8Array(body as Uint8Array)),
    );
    hidden.push([QueueUrl, VisibilityTimeout]);
  }
  return pass(...call);
});
let isDown = false;
beforeEach(() => {
  hidden = [];
  isDown = false;
  collectLog();
  process.env.LEASE_SECONDS = '30';
});

const context = { getRemainingTimeInMillis: () => 300_000 } as Context;
const ABOUT_A_FILE = JSON.stringify({ Records: [{ s3: { object: { key: 'files/name' } } }] });
const ABOUT_AN_UPLOAD = JSON.stringify({ Records: [{ s3: { object: { key: 'uploads/1/0' } } }] });

/** A message of a queue that a function fails at for the n-th time. */
const attempt = (queue: string, body: string, times: number, receiptHandle = 'unknown') =>
  ({
    messageId: 'm',
    receiptHandle,
    body,
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
    attributes: { ApproximateReceiveCount: String(times) },
  }) as SQSRecord;

/** Seconds between the attempts of a message. */
const PAUSES = [30, 60, 120, 240, 480, 900, 900, 900, 900, 900];

test.each([
  ['a file', names.uploadsQueue, ABOUT_A_FILE],
  ['an upload', names.uploadsQueue, ABOUT_AN_UPLOAD],
  ['a large upload', names.largeUploadsQueue, ABOUT_AN_UPLOAD],
])(
  'the pump hides a failed message about %s for 30 s, then twice as long each time, up to 15 minutes',
  async (_what, queue, body) => {
    isDown = true;
    for (let times = 1; times <= ATTEMPTS.uploads; times += 1)
      await uploads({ Records: [attempt(queue, body, times)] }, context);
    expect(hidden.map(([url]) => url)).toEqual(
      Array.from({ length: ATTEMPTS.uploads }, () => queueUrl(queue)),
    );
    expect(hidden.map(([, seconds]) => seconds)).toEqual(PAUSES);
  },
  60_000,
);

test('the pump hides a failed message about an operation in the same way', async () => {
  isDown = true;
  for (let times = 1; times <= ATTEMPTS.operations; times += 1)
    await worker({ Records: [attempt(names.queue, '{"operationId":1}', times)] }, context);
  expect(hidden).toEqual(PAUSES.map((seconds) => [queueUrl(names.queue), seconds]));
}, 60_000);

test('the pump delivers a failed message of the uploads queue again after its pause', async () => {
  const sqs = new SQSClient(currentSettings() as SQSClientConfig);
  const QueueUrl = queueUrl(names.uploadsQueue);
  const receive = async () =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] }))).Messages;
  // S3's test message at the start of a new notification.
  while (await receive());
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: ABOUT_A_FILE }));
  const [message] = (await receive()) ?? [];
  isDown = true;
  await uploads({ Records: [attempt(names.uploadsQueue, ABOUT_A_FILE, 1, message?.ReceiptHandle)] }, context);
  isDown = false;
  expect(await receive()).toBeUndefined();
  timePasses(31_000);
  expect((await receive())?.[0]?.Attributes?.ApproximateReceiveCount).toBe('2');
});
