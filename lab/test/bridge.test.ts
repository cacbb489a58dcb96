import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Engines, listen, openEngines } from 'embedded-aws';
import { CREDENTIALS, embeddedClients } from '../../engines/test/clients.ts';
import { queueUrl } from '../../local/provision/names.ts';
import { type Bridge, bridge } from '../real-engines/bridge.ts';

const directory = mkdtempSync(join(tmpdir(), 'bridge-'));
let engines: Engines;
let listener: Awaited<ReturnType<typeof listen>>;
let sqs: ReturnType<typeof embeddedClients>['sqs'];
let between: Bridge;

beforeAll(async () => {
  engines = openEngines({ directory, credentials: CREDENTIALS });
  listener = await listen(engines, { host: '127.0.0.1', port: 0 });
  ({ sqs } = embeddedClients(engines));
  await sqs.send(new CreateQueueCommand({ QueueName: 'notified' }));
  between = await bridge(CREDENTIALS);
});
afterAll(async () => {
  await between.close();
  await listener.close();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});

const rule = (prefix: string, events: readonly string[]) => ({
  id: prefix,
  queue: queueUrl('notified', listener.url),
  events,
  prefix,
  suffix: '',
});
const emit = async (eventName: string, bucket: string, key: string) => {
  const body = JSON.stringify({
    Records: [{ eventName, s3: { bucket: { name: bucket }, object: { key } } }],
  });
  expect((await fetch(between.webhook, { method: 'POST', body })).status).toBe(204);
};
async function received(): Promise<unknown[]> {
  const QueueUrl = queueUrl('notified', listener.url);
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
  for (const { ReceiptHandle } of Messages)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return Messages.map(({ Body = '{}' }) => JSON.parse(Body).Records[0]);
}

test('the rules of a bucket alone decide which events go to its queue', async () => {
  const rules = [
    rule('files/', ['s3:ObjectCreated:*', 's3:ObjectRemoved:*']),
    rule('up/', ['s3:ObjectCreated:*']),
  ];
  const put = { method: 'PUT', body: JSON.stringify(rules) };
  expect((await fetch(new URL('/own', between.url), put)).status).toBe(204);

  await emit('s3:ObjectCreated:Put', 'own', 'other/a');
  await emit('s3:ObjectCreated:Put', 'another', 'files/a');
  await emit('s3:ObjectRemoved:Delete', 'own', 'up/a');
  await emit('s3:ObjectCreated:Put', 'own', 'files/a+b%2Bc');
  expect(await received()).toMatchObject([
    { eventName: 'ObjectCreated:Put', s3: { object: { key: 'files/a+b%2Bc' } } },
  ]);
  await emit('s3:ObjectRemoved:Delete', 'own', 'files/a');
  expect(await received()).toMatchObject([{ eventName: 'ObjectRemoved:Delete' }]);
});

test('an engine that sends no event gets a liveness check and no error', async () => {
  const status = async (body: string) => (await fetch(between.webhook, { method: 'POST', body })).status;
  expect([await status('{"Event":"s3:TestEvent"}'), await status('')]).toEqual([204, 204]);
});
