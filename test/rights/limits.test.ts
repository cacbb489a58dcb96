import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import type { Client } from '../support/client/client.ts';
import { expectProblem } from '../support/client/problem.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const MOST = 20;
const SCOPES = 'subscriptions:read subscriptions:write products:read products:write';

let receiver: Receiver;
let service: Supervised;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await supervised('owned');
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const json = () => ({ url: `${receiver.url}/204`, types: ['product.*'] });
const create = (client: Client, headers = {}) => client('POST', '/subscriptions', { json: json(), headers });

// Specification 18.13
test('of 50 concurrent creations, an owner gets 20, and a removal makes room for another one', async () => {
  const ada = await clientAs(service, 'ada', SCOPES);
  const key = { 'Idempotency-Key': '"first"' };
  const first = await create(ada, key);
  const all = await Promise.all(Array.from({ length: 50 }, () => create(ada)));
  const statuses = all.map(({ status }) => status);
  expect(statuses.filter((one) => one === 201)).toHaveLength(MOST - 1);
  expect(statuses.filter((one) => one === 409)).toHaveLength(50 - MOST + 1);
  const refused = all.find(({ status }) => status === 409);
  expect(refused?.json().links).toEqual([{ rel: 'collection', href: '/subscriptions', method: 'GET' }]);
  expect(refused?.headers.link).toContain('</subscriptions>; rel="collection"');
  expect((await ada('GET', '/subscriptions?limit=100')).json().items).toHaveLength(MOST);
  // A repetition has no second effect, so the limit does not concern it.
  const repeated = await create(ada, key);
  expect([repeated.status, repeated.text]).toEqual([201, first.text]);
  expect((await create(await clientAs(service, 'bob', SCOPES))).status).toBe(201);
  expect((await ada('DELETE', String(first.headers.location))).status).toBe(204);
  const again = await Promise.all([create(ada), create(ada)]);
  expect(again.map(({ status }) => status).sort()).toEqual([201, 409]);
}, 60_000);

// Specification 18.13
test('a service has 1,000 subscriptions of all owners', async () => {
  const TableName = 'resource-api-subscriptions';
  const rows = Array.from({ length: 1000 - MOST - 1 }, (_, at) => ({
    id: { N: String(at + 1) },
    _version: { N: '1' },
    _owner: { S: `owner ${at % 50}` },
  }));
  await Promise.all(rows.map((Item) => service.dynamoDb.send(new PutItemCommand({ TableName, Item }))));
  // As after an import: the next creation counts again.
  const Key = { subscription: { N: '0' }, n: { N: '0' } };
  await service.dynamoDb.send(new DeleteItemCommand({ TableName: 'resource-api-deliveries', Key }));
  const bob = await clientAs(service, 'bob', SCOPES);
  const full = await create(bob);
  expectProblem(full, 409, 'conflict');
  expect(full.json().detail).toContain('The service has 1000 subscriptions');
}, 60_000);

// Specification 18.11
test('a subscription has ten tests and repetitions in a minute', async () => {
  const bob = await clientAs(service, 'bob', SCOPES);
  const [item] = (await bob('GET', '/subscriptions')).json().items;
  const path = `/subscriptions/${item?.id}`;
  const calls = Array.from({ length: 11 }, () => bob('POST', `${path}/test`));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array.from({ length: 10 }, () => 204), 429]);
  const [entry] = await eventually(async () => {
    const { items } = (await bob('GET', `${path}/deliveries`)).json();
    expect(items.length).toBeGreaterThan(0);
    return items as unknown as readonly { readonly href: string }[];
  });
  const refused = await bob('POST', `${entry?.href}/repeat`);
  expectProblem(refused, 429, 'too-many-requests');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  // API Gateway states the time of a request, so the calls become older in place of a later one.
  await service.dynamoDb.send(
    new UpdateItemCommand({
      TableName: 'resource-api-deliveries',
      Key: { subscription: { N: String(item?.id) }, n: { N: '1' } },
      UpdateExpression: 'SET calls = :calls',
      ExpressionAttributeValues: { ':calls': { S: JSON.stringify(Array(10).fill(Date.now() - 60_000)) } },
    }),
  );
  expect((await bob('POST', `${entry?.href}/repeat`)).status).toBe(204);
});
