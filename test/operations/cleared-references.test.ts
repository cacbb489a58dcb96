import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Context, DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { handler as deadLetters } from '../../functions/dead-letters/handler.ts';
import { removals } from '../../functions/events/removed.ts';
import { handler as worker } from '../../functions/worker/handler.ts';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { newIdentifier } from '../../shared/store/write/new-item.ts';
import { eraseHistory } from '../../tools/data/erase/items.ts';
import { belongings } from '../../tools/data/erase/subject.ts';
import { resourceOf } from '../engines/attached.ts';
import { collectLog } from '../engines/collected-log.ts';
import { attachedBetween, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf, recordOfMessage, shown, takenMessage, workAll } from './world.ts';

attachedBetween();
beforeEach(async () => {
  await workAll();
  process.env.LEASE_SECONDS = '1';
});
afterEach(() => {
  process.env.LEASE_SECONDS = '30';
  clearFaults();
});

async function customer(): Promise<number> {
  return Number(bodyOf(await ask('POST', '/customers', { json: { name: 'Ada' } })).id);
}

/** Creates orders of a customer. Returns their paths. */
async function ordersOf(customerId: number, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    ask('POST', '/orders', { json: { customerId, productId: 1, orderValue: 5, quantity: 2 } }),
  );
  return (await Promise.all(made)).map(({ headers }) => headers.Location as string);
}

/** Removes a customer for ever, as an erasure does. */
async function remove(id: number): Promise<void> {
  expect((await ask('DELETE', `/customers/${id}`)).status).toBe(204);
  await eraseHistory(resourceOf('customers'), id);
}

/** The registry of a release in which customers have no history. */
const withoutHistory = registry.map((one) =>
  one.name === 'customers' ? { ...one, history: undefined } : one,
) as readonly Resource[];

const orderAt = async (path: string) => bodyOf(await ask('GET', path));

/** Changes an order as another request does. */
async function change(path: string, values: JsonObject): Promise<void> {
  const id = Number(path.split('/').at(-1));
  const result = await itemsOf(resourceOf('orders'), SERVICE).replace(id, values, { now: Date.now() });
  expect(result.kind).toBe('written');
}

/** Gives an order a form that no release stores. */
async function makeUnreadable(path: string): Promise<void> {
  await dynamoDb().send(
    new UpdateItemCommand({
      TableName: config.tableName('orders'),
      Key: { orderId: { N: path.split('/').at(-1) as string } },
      UpdateExpression: 'SET quantity = :text',
      ExpressionAttributeValues: { ':text': { S: 'many' } },
    }),
  );
}

/** The number of orders at these paths that have a customer. */
const referring = async (paths: readonly string[]): Promise<number> =>
  (await Promise.all(paths.map(orderAt))).filter(({ customerId }) => customerId !== undefined).length;

/** Runs the worker with a message about removed customers. `left`: ms until the end of its run. */
const clear = (ids: readonly number[], left?: number): Promise<boolean> =>
  clearRest({ resource: 'customers', ids }, left);

/** Runs the worker with such a message, also one of an earlier run. Returns whether the run succeeded. */
async function clearRest(removed: object, left = 300_000): Promise<boolean> {
  const message = {
    messageId: 'removed',
    receiptHandle: 'none',
    body: JSON.stringify({ removed }),
    attributes: { ApproximateReceiveCount: '1' },
  } as SQSRecord;
  const context = { getRemainingTimeInMillis: () => left } as Context;
  return (await worker({ Records: [message] }, context)).batchItemFailures.length === 0;
}

const orders = 60;

test('the worker clears all references after faults and lost responses, and a repeated message changes nothing', async () => {
  const id = await customer();
  const paths = await ordersOf(id, orders);
  const others = await ordersOf(await customer(), 2);
  await remove(id);
  next('UpdateItem', 'answer lost', { times: 5 });
  next('UpdateItem', 'fails', { times: 30 });
  expect(await clear([id])).toBe(false);
  clearFaults();
  expect(await clear([id])).toBe(true);
  expect(await referring(paths)).toBe(0);
  expect(await referring(others)).toBe(2);
  const before = await Promise.all(paths.map((path) => ask('GET', path)));
  expect(await clear([id])).toBe(true);
  const after = await Promise.all(paths.map((path) => ask('GET', path)));
  expect(after.map(({ headers }) => headers.ETag)).toEqual(before.map(({ headers }) => headers.ETag));
});

test('a run without time leaves the rest to another message', async () => {
  const id = await customer();
  const paths = await ordersOf(id, orders);
  await remove(id);
  let runs = 0;
  for (let done = await clear([id], 0); done; runs += 1) {
    // SQS delivers the message after a second.
    const message = await takenMessage(2);
    if (!message) break;
    done = await clearRest(JSON.parse(message).removed, 0);
  }
  expect(runs).toBeGreaterThanOrEqual(2);
  expect(await referring(paths)).toBe(0);
});

test('an order that gets another customer meanwhile keeps it', async () => {
  const [id, other] = [await customer(), await customer()];
  const [path = ''] = await ordersOf(id, 1);
  await remove(id);
  next('BatchGetItem', async () => {
    next('BatchGetItem', async () => {
      await change(path, { customerId: other, productId: 1, quantity: 3 });
    });
  });
  expect(await clear([id])).toBe(true);
  expect(await orderAt(path)).toMatchObject({ customerId: other, quantity: 3 });
});

test('an order that changes meanwhile keeps its change and loses the reference', async () => {
  const id = await customer();
  const [path = ''] = await ordersOf(id, 1);
  await remove(id);
  next('BatchGetItem', async () => {
    next('BatchGetItem', async () => {
      await change(path, { customerId: id, productId: 1, quantity: 3 });
    });
  });
  expect(await clear([id])).toBe(true);
  expect(await orderAt(path)).toMatchObject({ quantity: 3, status: 'created' });
  expect(await referring([path])).toBe(0);
});

test('a message about a customer that exists changes nothing', async () => {
  const id = await customer();
  const paths = await ordersOf(id, 3);
  expect(await clear([id])).toBe(true);
  expect(await referring(paths)).toBe(3);
});

test('removed items are those without a history that the stream lost, without rows of constraints', () => {
  const record = (resource: string, dynamodb: object): DynamoDBRecord => ({
    eventSourceARN: `arn:aws:dynamodb:r:1:table/${config.tableName(resource)}/stream/l`,
    dynamodb,
  });
  const image = (id: string, more: object = {}) => ({ id: { N: id }, ...more });
  const found = removals(withoutHistory)([
    record('customers', { OldImage: image('1') }),
    record('customers', { OldImage: image('2'), NewImage: image('2') }),
    record('customers', { NewImage: image('3') }),
    record('customers', { OldImage: image('-4', { _constraint: { S: 'unique' } }) }),
    record('members', { OldImage: image('5') }),
    record('customers', { OldImage: image('6') }),
  ]);
  expect(found).toEqual([{ resource: 'customers', ids: [1, 6] }]);
});

test('the dead-letters function logs the removed items of a message that always failed', async () => {
  const lines = collectLog();
  const body = JSON.stringify({ removed: { resource: 'customers', ids: [7] } });
  const attributes = { ApproximateReceiveCount: '9' };
  const record = { messageId: 'dead', body, attributes } as SQSRecord;
  expect(await deadLetters({ Records: [record] })).toEqual({ batchItemFailures: [] });
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged).toContainEqual(expect.objectContaining({ level: 'error', resource: 'customers', ids: [7] }));
});

// docs/operations.md, "given-up"
test.each(['{"unknown":1}', 'no JSON', 'null', '{"operationId":"x"}'])(
  'the dead-letters function logs the unknown message %s, and ends it',
  async (body) => {
    const lines = collectLog();
    const record = { messageId: 'dead', body, attributes: { ApproximateReceiveCount: '1' } } as SQSRecord;
    expect(await deadLetters({ Records: [record] })).toEqual({ batchItemFailures: [] });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'error', body, times: '1' }),
    );
  },
);

test('a backfill clears references to missing items, and leaves the others', async () => {
  const [id, other] = [await customer(), await customer()];
  const [path = '', left = ''] = [...(await ordersOf(id, 1)), ...(await ordersOf(other, 1))];
  await remove(id);
  const before = await ask('GET', left);
  const operationId = newIdentifier(Date.now());
  const message = recordOfMessage(operationId);
  const body = JSON.stringify({ operationId, backfill: 'orders' });
  const context = { getRemainingTimeInMillis: () => 300_000 } as Context;
  await worker({ Records: [{ ...message, body }] }, context);
  expect(await shown(operationId)).toMatchObject({ status: 'Succeeded', progress: { failed: 0 } });
  expect(await referring([path])).toBe(0);
  expect((await ask('GET', left)).body).toBe(before.body);
});

test('the orders of a customer belong to the erasure of the customer', async () => {
  const id = await customer();
  await ordersOf(id, 2);
  expect(await belongings({ resource: 'customers', id })).toHaveLength(2);
});

test('the events function fails if it cannot send removed items, so that Lambda delivers them again', async () => {
  // The handler reads the facts when it is loaded.
  const customers = resourceOf('customers');
  const history = { value: customers.history };
  Object.defineProperty(customers, 'history', { value: undefined });
  const { handler: publish } = await import('../../functions/events/handler.ts');
  const id = await customer();
  const eventSourceARN = `arn:aws:dynamodb:r:1:table/${config.tableName('customers')}/stream/l`;
  const one = { N: '1' };
  const OldImage = { id: { N: String(id) }, _version: one, _created: one, _updated: one };
  const dynamodb = { OldImage, SequenceNumber: '1' };
  const event = { Records: [{ eventID: '1', eventSourceARN, dynamodb }] };
  // The three attempts to wake the fan-out for subscriptions, and those to send the removed items.
  next('SendMessage', 'fails', { times: 6 });
  await expect(publish(event)).rejects.toThrow();
  clearFaults();
  expect(await publish(event)).toEqual({ batchItemFailures: [] });
  // SQS delivers the message after the time of a lease and a second.
  expect(JSON.parse((await takenMessage(4)) ?? '{}')).toEqual({
    removed: { resource: 'customers', ids: [id] },
  });
  Object.defineProperty(customers, 'history', history);
});

test('a run without time stops also if it can change no item, and the next one continues after these', async () => {
  const id = await customer();
  const paths = await ordersOf(id, orders);
  for (const path of paths.slice(0, -1)) await makeUnreadable(path);
  await remove(id);
  const stops: unknown[] = [];
  for (let done = await clear([id], 0); done; ) {
    const message = await takenMessage(2);
    if (!message) break;
    const { removed } = JSON.parse(message);
    stops.push(removed.after.id);
    done = await clearRest(removed, 0);
  }
  expect(stops.length).toBeGreaterThanOrEqual(2);
  expect(stops).toEqual([...new Set(stops)]);
  expect(await referring(paths.slice(-1))).toBe(0);
});
