import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { newService } from '../support/service/service.ts';
import { type Supervised, supervised } from './supervised.ts';

const DAY_MS = 86_400_000;
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
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

const daysLeft = (expires: unknown): number =>
  Math.round((Date.parse(String(expires)) - Date.now()) / DAY_MS);

/** Makes the rights of a subscription end so many days from now. A token lives for an hour, so no test can wait. */
const endIn = (path: string, days: number) =>
  service.dynamoDb.send(
    new UpdateItemCommand({
      TableName: 'resource-api-subscriptions',
      Key: { id: { N: path.replace(/.*\//, '') } },
      UpdateExpression: 'SET expires = :end',
      ExpressionAttributeValues: { ':end': { N: String(Math.round(Date.now() + days * DAY_MS)) } },
    }),
  );

// Specification 18.13
test('rights end after 90 days: changes and tests renew them, and deliveries name the end from 14 days before', async () => {
  const ada = await clientAs(service, 'ada', SCOPES);
  const json = { url: `${receiver.url}/204/ends`, types: ['product.*'] };
  const made = await ada('POST', '/subscriptions', { json });
  const path = String(made.headers.location);
  expect(daysLeft(made.json().expires)).toBe(90);
  const arrived = async (count: number) =>
    eventually(async () => {
      expect(receiver.at('/204/ends')).toHaveLength(count);
      return receiver.at('/204/ends')[count - 1]?.headers['webhook-expires'];
    });
  const change = () => ada('POST', '/products', { json: { name: 'Mug' } });
  const read = async () => (await ada('GET', path)).json();

  await change();
  expect(await arrived(1)).toBeUndefined();
  // The service has stored the success, so it changes the item no more before the test does.
  await eventually(async () => expect(await read()).toHaveProperty('lastSuccess'));
  await endIn(path, 13.5);
  await change();
  expect(await arrived(2)).toBe((await read()).expires);
  const deliveries = { headers: { Accept: 'text/html' } };
  expect((await ada('GET', `${path}/deliveries`, deliveries)).text).toContain(
    'The rights of the subscription end',
  );
  expect((await ada('POST', `${path}/test`)).status).toBe(204);
  expect(await arrived(3)).toBeUndefined();
  expect(daysLeft((await read()).expires)).toBe(90);
  expect((await ada('GET', `${path}/deliveries`, deliveries)).text).not.toContain('The rights of the sub');

  await endIn(path, 10);
  const paused = await ada('PATCH', path, { json: { active: false }, headers: MERGE });
  expect(daysLeft(paused.json().expires)).toBe(90);
  await ada('PATCH', path, { json: { active: true }, headers: MERGE });

  await endIn(path, -0.001);
  await change();
  const ended = await eventually(async () => {
    const item = await read();
    expect(item).toMatchObject({ status: 'suspended' });
    return item;
  });
  expect(ended.reason).toMatch(/^Its rights ended at 20.*90 days/);
  expect(receiver.at('/204/ends')).toHaveLength(3);
  const resumed = await ada('PATCH', path, { json: { active: true }, headers: MERGE });
  expect([resumed.json().status, daysLeft(resumed.json().expires)]).toEqual(['active', 90]);
  await change();
  await arrived(4);
}, 40_000);

// Specification 18.13
test('the rights of a subscription of an open service have no end', async () => {
  const open = await newService();
  try {
    const json = { url: `${receiver.url}/204/open`, types: ['product.*'] };
    const made = await open.client('POST', '/subscriptions', { json });
    expect(made.status).toBe(201);
    expect(made.json()).not.toHaveProperty('expires');
  } finally {
    await open.stop();
  }
}, 40_000);
