import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { timePasses } from '../support/clock.ts';
import { attachedBetween, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf, later, shown, taken, work, workAll } from './world.ts';

/** A run that made progress counts as no failure, whatever stopped it. */
attachedBetween();

beforeEach(async () => {
  await workAll();
});
afterEach(clearFaults);

test('an operation with progress survives more interruptions than receives are allowed', async () => {
  const json = Array.from({ length: 1000 }, (_, at) => ({ name: `progress ${at}` }));
  const id = await later('POST', '/customers', { json });
  while (await taken());
  for (let runs = 0; runs < 6; runs += 1) {
    const before = (await shown(id)).progress as { done: number };
    // The first step of a run succeeds. Then the engine does not respond.
    next('TransactWriteItems', () => next('TransactWriteItems', 'fails', { times: 3 }));
    expect(await work(id)).toBe(true);
    const after = (await shown(id)).progress as { done: number };
    expect(after.done).toBeGreaterThan(before.done);
    clearFaults();
  }
  await workAll();
  expect(await shown(id)).toMatchObject({
    status: 'Succeeded',
    progress: { done: 1000, total: 1000, failed: 0 },
  });
});

// Specification 7.16
test('an operation estimates its completion at the rate of the current run', async () => {
  const json = Array.from({ length: 1000 }, (_, at) => ({ name: `estimated ${at}` }));
  const id = await later('POST', '/customers', { json });
  while (await taken());
  expect(await shown(id)).not.toHaveProperty('estimatedCompletionTime');
  for (let runs = 0; runs < 2; runs += 1) {
    timePasses(3_600_000);
    next('TransactWriteItems', () => next('TransactWriteItems', 'fails', { times: 3 }));
    expect(await work(id)).toBe(true);
    clearFaults();
  }
  const { status, updatedAt, estimatedCompletionTime: estimate } = await shown(id);
  expect(status).toBe('Running');
  const left = Date.parse(String(estimate)) - Date.parse(String(updatedAt));
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left).toBeLessThan(60_000);
  await workAll();
});

// Specification 7.6, 7.7
test.each(['NotStarted', 'Running'])(
  'GET of a pending operation gets 200 with Retry-After and ETag: %s',
  async (status) => {
    const json = Array.from({ length: 150 }, (_, at) => ({ name: `pending ${at}` }));
    const id = await later('POST', '/customers', { json });
    while (await taken());
    if (status === 'Running') {
      next('TransactWriteItems', () => next('TransactWriteItems', 'fails', { times: 3 }));
      await work(id);
      clearFaults();
    }
    const answer = await ask('GET', `/operations/${id}`);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]/), ETag: expect.stringMatching(/^"/) },
    });
    expect(bodyOf(answer).status).toBe(status);
    await work(id);
  },
);
