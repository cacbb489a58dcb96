import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { change } from '../../shared/operations/record/record.ts';
import { number } from '../../shared/store/items/attributes.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { attributeExists } from '../../shared/store/write/expression.ts';
import { timePasses } from '../support/clock.ts';
import { attachedBetween, clearFaults } from './fault-injection.ts';
import { ask, bodyOf, later, membersCalled, recordOf, shown, work, workAll } from './world.ts';

/**
 * Items in the form that earlier versions of the service stored: operations without `_handler`, and customers that
 * count their paid orders.
 */
attachedBetween();

beforeEach(async () => {
  process.env.LEASE_SECONDS = '30';
  await workAll();
});
afterEach(clearFaults);

const DAY = 24 * 3_600_000;

/** Removes the handler of an operation and adds the attributes that earlier versions stored. */
async function asBefore(id: number, set: Attributes): Promise<void> {
  await change(id, {
    now: Date.now(),
    set,
    remove: ['_handler'],
    condition: attributeExists('status'),
  });
  expect(await recordOf(id)).not.toHaveProperty('_handler');
}

test('the worker runs the request of an operation without a handler', async () => {
  const id = await later('POST', '/members', { json: { name: 'before' } });
  expect(await recordOf(id)).toMatchObject({ _handler: { S: 'request' } });
  await asBefore(id, {});
  await work(id);
  expect((await shown(id)).status).toBe('Succeeded');
  expect(await membersCalled('before')).toBe(1);
});

test('the worker ends an upload without a handler when its links have expired', async () => {
  const accepted = await ask('POST', '/files', { json: { filename: 'before', size: 5 } });
  expect(accepted.status).toBe(202);
  const id = Number(bodyOf(accepted).operationId);
  expect(await recordOf(id)).toMatchObject({ _handler: { S: 'upload' } });
  await asBefore(id, { _waits: number(1) });
  await work(id);
  expect((await shown(id)).status).toBe('Running');
  timePasses(2 * DAY);
  await work(id);
  const { status, error } = await shown(id);
  expect(status).toBe('Failed');
  expect(error).toMatchObject({ type: '/problems/timeout' });
});

/** Creates a customer with two paid orders, as earlier versions counted them. Specification 8.4. */
async function countedCustomer(): Promise<string> {
  const { id } = bodyOf(await ask('POST', '/customers', { json: { name: 'counted' } }));
  await dynamoDb().send(
    new UpdateItemCommand({
      TableName: config.tableName('customers'),
      Key: { id: number(Number(id)) },
      UpdateExpression: 'ADD #count :two',
      ExpressionAttributeNames: { '#count': '_engaged' },
      ExpressionAttributeValues: { ':two': number(2) },
    }),
  );
  return `/customers/${id}`;
}

test('a customer with counted orders can change and be deleted', async () => {
  const path = await countedCustomer();
  const changed = await ask('PUT', path, { json: { name: 'changed' } });
  expect([changed.status, bodyOf(changed)]).toMatchObject([200, { name: 'changed' }]);
  expect(Object.keys(bodyOf(changed)).sort()).toEqual(['createdAt', 'id', 'links', 'name', 'updatedAt']);
  expect((await ask('DELETE', path)).status).toBe(204);
});

test('the worker removes customers with counted orders', async () => {
  const path = await countedCustomer();
  const id = await later('DELETE', '/customers');
  // Specification 15.3
  expect((await ask('GET', path)).status).toBe(200);
  await work(id);
  expect((await shown(id)).status).toBe('Succeeded');
  expect((await ask('GET', path)).status).toBe(404);
});
