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
import { toAttributes } from '../../shared/store/form/attributes.ts';
import { collectLog } from '../engines/collected-log.ts';

const named = (name: string) => registry.find((one) => one.name === name) as Resource;

/** The identifiers of the events on the bus, the messages to the fan-out, and whether SQS is down. */
let published: string[] = [];
let woken = 0;
let isDown = false;
/** The row of the fan-out, with the time until which no subscription is active. */
let state: object = {};

type Sent = { readonly MessageBody: string; readonly Entries: readonly { readonly Detail: string }[] };

/** What the engines respond to the calls of the events function. It makes no other call. */
const answers: Readonly<Record<string, (sent: Sent) => object>> = {
  // The log of changes is empty, and takes all.
  BatchGetItem: () => ({ Responses: {}, UnprocessedKeys: {} }),
  TransactWriteItems: () => ({}),
  GetItem: () => state,
  PutEvents: ({ Entries }) => {
    published.push(...Entries.map(({ Detail }) => JSON.parse(Detail).id));
    return { Entries: Entries.map(() => ({ EventId: 'a' })) };
  },
  SendMessage: ({ MessageBody }) => {
    woken += 1;
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
  [published, woken, isDown, state] = [[], 0, false, {}];
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
test('a batch of changes wakes the fan-out once, and the stream does not wait for SQS', async () => {
  const event = { Records: [record('members', 1), record('products', 2)] };
  expect(await handler(event)).toEqual({ batchItemFailures: [] });
  expect([published.length, woken]).toEqual([2, 1]);
  isDown = true;
  expect(await handler(event)).toEqual({ batchItemFailures: [] });
  expect([published.length, woken]).toEqual([4, 1]);
});

// Specification 18.2
test('a change of a subscription is an event on the bus, and wakes no fan-out', async () => {
  await handler({ Records: [record('subscriptions', 8, { owner: 'owner' })] });
  expect([published.length, woken]).toEqual([1, 0]);
});

test('while no subscription is active, no message costs', async () => {
  state = { Item: { idleUntil: { N: String(Date.now() + 60_000) } } };
  await handler({ Records: [record('members', 1)] });
  expect([published.length, woken]).toEqual([1, 0]);
});
