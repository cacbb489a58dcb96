import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { DENIED_SUBJECTS } from '../../shared/store/idempotency/denied-subjects.ts';
import { attachedBetween, clearFaults, next } from '../operations/fault-injection.ts';
import { ask, bodyOf, later, membersCalled, work, workAll } from '../operations/world.ts';
import { timePasses } from '../support/clock.ts';

attachedBetween();

const Key = { key: { S: DENIED_SUBJECTS } };
const TableName = () => config.tableName('idempotency');
const deny = (...subjects: string[]) =>
  dynamoDb().send(
    new PutItemCommand({ TableName: TableName(), Item: { ...Key, subjects: { SS: subjects } } }),
  );

beforeEach(async () => {
  await workAll();
});
afterEach(async () => {
  clearFaults();
  await dynamoDb().send(new DeleteItemCommand({ TableName: TableName(), Key }));
  // The worker reads the row again.
  timePasses(30_001);
});

const created = (name: string, subject: string) => later('POST', '/members', { json: { name }, subject });
const shownTo = async (subject: string, id: number) =>
  bodyOf(await ask('GET', `/operations/${id}`, { subject }));

// The first test, because a worker that has read the row does without it.
test('an operation waits until the worker can read who is denied', async () => {
  const id = await created('unknown', 'ada');
  next('GetItem', 'fails', { times: 99, holding: DENIED_SUBJECTS });
  expect(await work(id)).toBe(false);
  expect(await shownTo('ada', id)).not.toHaveProperty('completedAt');
  clearFaults();
  timePasses(60_000);
  expect(await work(id)).toBe(true);
  expect(await shownTo('ada', id)).toMatchObject({ status: 'Succeeded' });
});

// Specification 7.17
test('an operation of a subject that operators deny has no effect, and ends as forbidden', async () => {
  const [denied, other] = [await created('denied', 'ada'), await created('other', 'bob')];
  await deny('ada');
  for (const id of [denied, other]) expect(await work(id)).toBe(true);
  expect(await shownTo('ada', denied)).toMatchObject({
    status: 'Failed',
    error: { type: '/problems/forbidden', status: 403, detail: expect.stringContaining('operators') },
  });
  expect(await shownTo('bob', other)).toMatchObject({ status: 'Succeeded' });
  expect([await membersCalled('denied'), await membersCalled('other')]).toEqual([0, 1]);
});

// Specification 7.17
test('an operation that already had its effect reports it after a denial', async () => {
  const id = await created('effective', 'ada');
  next('UpdateItem', 'fails', { times: 99, holding: 'Succeeded' });
  await work(id);
  expect(await membersCalled('effective')).toBe(1);
  clearFaults();
  await deny('ada');
  timePasses(60_000);
  expect(await work(id)).toBe(true);
  expect(await shownTo('ada', id)).toMatchObject({ status: 'Succeeded', result: { status: 201 } });
});

test('an operation of an open service does not read who is denied, and others read it once in 30 s', async () => {
  let reads = 0;
  const count = () => {
    reads += 1;
  };
  next('GetItem', count, { times: 99, holding: DENIED_SUBJECTS });
  expect(await work(await later('POST', '/members', { json: { name: 'open' } }))).toBe(true);
  expect(reads).toBe(0);
  for (const subject of ['ada', 'bob']) expect(await work(await created('own', subject))).toBe(true);
  expect(reads).toBe(1);
});
