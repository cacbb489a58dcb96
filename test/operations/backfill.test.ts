import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Context, DynamoDBRecord } from 'aws-lambda';
import { rewriteOf } from '../../functions/worker/backfill/rewrite.ts';
import { handler as worker } from '../../functions/worker/handler.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { changeOf } from '../../shared/events/cloud-event.ts';
import type { Fields } from '../../shared/resource/description/description.ts';
import { describe } from '../../shared/resource/description/plan.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { number } from '../../shared/store/form/attributes.ts';
import { readRows } from '../../shared/store/items/read-items.ts';
import { newIdentifier } from '../../shared/store/write/new-item.ts';
import { resourceOf } from '../engines/attached.ts';
import { attachedBetween, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf, recordOfMessage, shown, work, workAll } from './world.ts';

attachedBetween();
beforeEach(() => workAll());
afterEach(clearFaults);

const members = () => resourceOf('members');

async function create(name: string): Promise<number> {
  const { status, body } = await ask('POST', '/members', { json: { name, age: 5 } });
  expect(status).toBe(201);
  return JSON.parse(String(body)).id;
}

async function rowOf(id: number): Promise<Attributes> {
  for await (const row of readRows({ name: 'members', description: descriptionOf(members()) }, [id]))
    return row;
  throw new Error(`There is no member ${id}`);
}

/** Changes stored attributes. undefined: the item loses the attribute. */
async function alter(id: number, changes: Record<string, Attributes[string] | undefined>): Promise<void> {
  for (const [name, value] of Object.entries(changes))
    await dynamoDb().send(
      new UpdateItemCommand({
        TableName: config.tableName('members'),
        Key: { id: number(id) },
        UpdateExpression: value ? 'SET #a = :v' : 'REMOVE #a',
        ExpressionAttributeNames: { '#a': name },
        ...(value ? { ExpressionAttributeValues: { ':v': value } } : {}),
      }),
    );
}

/** Sends the message of an operator to the worker. Returns the number of the operation. */
async function begin(more: object = {}, operationId = newIdentifier(Date.now())): Promise<number> {
  const message = recordOfMessage(operationId);
  const body = JSON.stringify({ operationId, backfill: 'members', ...more });
  const context = { getRemainingTimeInMillis: () => 300_000 } as Context;
  await worker({ Records: [{ ...message, body }] }, context);
  return operationId;
}

/** As an earlier release stored it: without a version, a sort key, and with the sort key of another value. */
const OUTDATED = { _schema: undefined, _by_name: undefined, _by_age: { B: Uint8Array.of(1, 2, 3) } };

// Specification 13.3
test('a backfill writes missing and wrong sort keys, and clients see no difference', async () => {
  const id = await create('old');
  const before = await rowOf(id);
  const response = await ask('GET', `/members/${id}`);
  await alter(id, OUTDATED);
  const altered = await rowOf(id);
  const operation = await begin();
  expect(await shown(operation)).toMatchObject({
    kind: 'members.backfill',
    status: 'Succeeded',
    progress: { failed: 0 },
  });
  const { _schema, ...others } = before;
  const after = await rowOf(id);
  expect(after).toEqual(others);
  const again = await ask('GET', `/members/${id}`);
  expect([again.headers.ETag, bodyOf(again)]).toEqual([response.headers.ETag, bodyOf(response)]);
  const change = { dynamodb: { OldImage: altered, NewImage: after } } as unknown as DynamoDBRecord;
  expect(changeOf(members(), change)).toBeUndefined();
});

// Specification 13.3
test('a backfill continues after faults, and a repeated message has no second effect', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, (_, at) => create(`resumed ${at}`)));
  for (const id of ids) await alter(id, OUTDATED);
  next('UpdateItem', 'fails', { times: 90, holding: '_by_name' });
  const operation = await begin();
  clearFaults();
  expect(await shown(operation)).toMatchObject({ status: 'Running' });
  await work(operation);
  expect(await shown(operation)).toMatchObject({ status: 'Succeeded' });
  for (const id of ids) expect(rewriteOf(members(), await rowOf(id)).kind).toBe('current');
  const ended = await shown(operation);
  await begin({}, operation);
  expect(await shown(operation)).toEqual(ended);
});

test('an operator can cancel a backfill', async () => {
  const id = await create('canceled');
  await alter(id, OUTDATED);
  next('UpdateItem', 'fails', { times: 90, holding: '_by_name' });
  const operation = await begin();
  clearFaults();
  expect((await ask('DELETE', `/operations/${operation}`)).status).toBe(202);
  await work(operation);
  expect(await shown(operation)).toMatchObject({ status: 'Canceled' });
  await begin();
});

test('an unreadable item counts as failed, and the others get their sort keys', async () => {
  const [damaged, other] = [await create('damaged'), await create('other')];
  await alter(other, OUTDATED);
  await alter(damaged, { age: { S: 'x' } });
  const operation = await begin();
  expect(await shown(operation)).toMatchObject({
    status: 'Succeeded',
    progress: { failed: 1 },
    result: { failures: [{ href: `/members/${damaged}`, problem: { type: '/problems/unreadable-item' } }] },
  });
  expect(rewriteOf(members(), await rowOf(other)).kind).toBe('current');
  await alter(damaged, { age: number(5) });
});

test('only the caller that the message names sees the operation', async () => {
  const operation = await begin({ owner: 'ada' });
  expect((await ask('GET', `/operations/${operation}`, { subject: 'ada' })).status).toBe(200);
  expect((await ask('GET', `/operations/${operation}`)).status).toBe(404);
});

test('the values of an earlier version get the form of this one, and those of a later version stay', async () => {
  const id = await create('versions');
  const description = descriptionOf(members());
  const fields: Fields = {
    ...description.fields,
    age: { kind: 'text', label: 'Age', earlier: { before: 2, read: String } },
  };
  const later = (version: number): Resource => ({
    ...members(),
    description: describe({ ...description, version, fields }),
  });
  const row = await rowOf(id);
  const rewrite = rewriteOf(later(2), row);
  if (rewrite.kind !== 'outdated') throw new Error(rewrite.kind);
  await dynamoDb().send(new UpdateItemCommand(rewrite.update));
  const { _by_age, ...after } = await rowOf(id);
  expect(after).toMatchObject({ _schema: number(2), age: { S: '5' }, _version: row._version });
  expect(_by_age).not.toEqual(row._by_age);
  expect(rewriteOf(later(2), await rowOf(id)).kind).toBe('current');
  expect(rewriteOf(members(), await rowOf(id)).kind).toBe('current');
});
