import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { change } from '../../shared/operations/record/record.ts';
import { type Attributes, number } from '../../shared/store/items/attributes.ts';
import { attributeExists } from '../../shared/store/write/expression.ts';
import { timePasses } from '../support/clock.ts';
import { attachedBetween, clearFaults } from './fault-injection.ts';
import { ask, bodyOf, later, membersCalled, recordOf, shown, work, workAll } from './world.ts';

/** Operations in the form that earlier versions of the service stored: without `_handler`. */
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
