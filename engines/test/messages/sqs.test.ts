import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openClients, REAL, unique } from '../clients.ts';

const clients = openClients();
const { sqs } = clients;
const created: string[] = [];
let QueueUrl = '';

async function create(name: string, Attributes: Record<string, string> = {}): Promise<string> {
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  created.push(url);
  return url;
}
const send = (MessageBody: string, more = {}) =>
  sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));
const receive = async (more: Partial<ReceiveMessageCommandInput> = {}) =>
  (
    await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MessageSystemAttributeNames: ['All'],
        ...more,
      }),
    )
  ).Messages ?? [];
const attributes = async (url = QueueUrl) =>
  (await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }))).Attributes ??
  {};

beforeEach(async () => {
  QueueUrl = await create(unique('contract'), { VisibilityTimeout: '60' });
});
afterAll(async () => {
  for (const url of REAL.sqs ? new Set(created) : [])
    await sqs.send(new DeleteQueueCommand({ QueueUrl: url }));
  await clients.close();
});

describe('messages', () => {
  test('arrive with their attributes, are hidden, and can be deleted', async () => {
    await send('grüße \u{1F600}');
    const [message] = await receive();
    expect(message).toMatchObject({
      Body: 'grüße \u{1F600}',
      Attributes: { ApproximateReceiveCount: '1' },
    });
    expect(await receive()).toEqual([]);
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '1' });
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '0' });
  });

  test('are visible again at once after visibility 0', async () => {
    await send('again');
    const [first] = await receive();
    await sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl,
        ReceiptHandle: first?.ReceiptHandle,
        VisibilityTimeout: 0,
      }),
    );
    const [second] = await receive({ WaitTimeSeconds: 1 });
    expect(second?.Attributes?.ApproximateReceiveCount).toBe('2');
    // A newer receipt has replaced the first one.
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second?.ReceiptHandle }));
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '0' });
  });

  test('end a long poll when they are sent', async () => {
    const polling = receive({ WaitTimeSeconds: 20 });
    await send('wake up');
    expect(await polling).toHaveLength(1);
  });

  test('with a delay are hidden until then', async () => {
    await send('later', { DelaySeconds: 900 });
    expect(await receive()).toEqual([]);
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessagesDelayed: '1' });
  });

  test('have at most 1 MiB', async () => {
    await send('x'.repeat(1024 * 1024));
    await expect(send('x'.repeat(1024 * 1024 + 1))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('on a standard queue may have a group', async () => {
    await send('grouped', { MessageGroupId: 'tenant' });
    expect((await receive())[0]?.Attributes).toMatchObject({ MessageGroupId: 'tenant' });
  });
});

describe('queues', () => {
  test('move a message to the dead-letter queue after too many receives', async () => {
    const dead = await create(unique('dead'));
    const { QueueArn } = await attributes(dead);
    QueueUrl = await create(unique('source'), {
      VisibilityTimeout: '0',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: QueueArn, maxReceiveCount: 2 }),
    });
    await send('poison');
    for (let count = 1; count <= 2; count++) {
      expect(await receive({ WaitTimeSeconds: 2 })).toMatchObject([{ Body: 'poison' }]);
    }
    expect(await receive({ WaitTimeSeconds: 1 })).toEqual([]);
    QueueUrl = dead;
    expect(await receive({ WaitTimeSeconds: 2 })).toMatchObject([{ Body: 'poison' }]);
  });

  test('can be created again with the same attributes only', async () => {
    const name = QueueUrl.split('/').at(-1) as string;
    expect(await create(name, { VisibilityTimeout: '60' })).toBe(QueueUrl);
    await expect(create(name, { VisibilityTimeout: '61' })).rejects.toMatchObject({
      name: 'QueueNameExists',
    });
  });

  test('get an error if they are unknown', async () => {
    const asked = sqs.send(new ReceiveMessageCommand({ QueueUrl: `${QueueUrl}-no` }));
    await expect(asked).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});
