import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { handler } from '../../functions/events/handler.ts';
import { names } from '../../local/provision/names.ts';
import { variables } from '../../local/provision/provision.ts';
import { registry } from '../../service/registry.ts';
import { configureClients } from '../../shared/aws/clients/client.ts';
import { configureLog } from '../../shared/aws/log.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { toAttributes } from '../../shared/store/items/attributes.ts';
import { collectLog } from '../engines/collected-log.ts';

const named = (name: string) => registry.find((one) => one.name === name) as Resource;

/** The identifiers of the events on the bus and in the queue of subscriptions, and whether SQS is down. */
let published: string[] = [];
let queued: string[] = [];
let isDown = false;

const subscription = toAttributes(
  named('subscriptions'),
  {
    id: 7,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    owner: 'owner',
    values: { url: 'https://receiver.example/', types: ['member.*'], active: true, status: 'active' },
    internal: {},
  },
  4,
);

type Sent = { readonly MessageBody: string; readonly Entries: readonly { readonly Detail: string }[] };

/** What the engines respond to the calls of the events function. */
const answers: Readonly<Record<string, (sent: Sent) => object>> = {
  // The log of changes is empty, and takes all.
  BatchGetItem: () => ({ Responses: {}, UnprocessedKeys: {} }),
  TransactWriteItems: () => ({}),
  Scan: () => ({ Items: [subscription] }),
  Query: () => ({
    Items: [{ subscription: { N: '7' }, n: { N: '0' }, secret: { S: 'whsec_' }, caller: { S: '{}' } }],
  }),
  PutEvents: ({ Entries }) => {
    published.push(...Entries.map(({ Detail }) => JSON.parse(Detail).id));
    return { Entries: Entries.map(() => ({ EventId: 'a' })) };
  },
  SendMessage: ({ MessageBody }) => {
    queued.push(JSON.parse(MessageBody).event.id);
    return { MessageId: 'a', MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
  },
};

const requestHandler = {
  metadata: { handlerProtocol: 'h1' },
  async handle({ body, headers }: { body: Uint8Array; headers: Record<string, string> }) {
    const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
    const refuses = isDown && operation === 'SendMessage';
    const sent = JSON.parse(new TextDecoder().decode(body));
    const text = JSON.stringify(refuses ? { __type: 'AccessDeniedException' } : answers[operation]?.(sent));
    return { response: { statusCode: refuses ? 403 : 200, headers: {}, body: Buffer.from(text) } };
  },
  updateHttpClientConfig() {},
  httpHandlerConfigs: () => ({}),
  destroy() {},
};

beforeEach(() => {
  [published, queued, isDown] = [[], [], false];
  collectLog();
  Object.assign(process.env, variables(registry));
  configureClients({
    requestHandler,
    credentials: { accessKeyId: 'a', secretAccessKey: 'x' },
    region: 'us-east-1',
  } as unknown as Parameters<typeof configureClients>[0]);
});
afterEach(() => configureLog());

/** The record of a new item. */
const record = (resource: string, id: number, more: object = {}): DynamoDBRecord =>
  ({
    eventID: `event ${id}`,
    eventSourceARN: `arn:aws:dynamodb:us-east-1:000000000000:table/${names.table(resource)}/stream/x`,
    dynamodb: {
      SequenceNumber: `seq ${id}`,
      NewImage: toAttributes(
        named(resource),
        { id, version: 1, createdAt: 0, updatedAt: 0, values: {}, internal: {}, ...more },
        4,
      ),
    },
  }) as DynamoDBRecord;

// Specification 18.9
test('a repeated record reaches the subscription with the same id', async () => {
  const event = { Records: [record('members', 1), record('products', 2)] };
  for (const _ of [1, 2]) expect(await handler(event)).toEqual({ batchItemFailures: [] });
  expect(queued).toEqual([published[0], published[0]]);
});

// Specification 18.9
test('while SQS is down, the stream keeps the batch, so no event is lost', async () => {
  const event = { Records: [record('members', 1), record('members', 3)] };
  isDown = true;
  await expect(handler(event)).rejects.toThrow();
  expect(queued).toEqual([]);
  isDown = false;
  expect(await handler(event)).toEqual({ batchItemFailures: [] });
  expect([...queued].sort()).toEqual([...new Set(published)].sort());
});

// Specification 18.2
test('a change of a subscription is an event on the bus, and reaches no subscription', async () => {
  await handler({ Records: [record('subscriptions', 8, { owner: 'owner' })] });
  expect(published).toHaveLength(1);
  expect(queued).toEqual([]);
});
