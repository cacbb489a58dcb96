import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { claim } from '../../functions/worker/claim.ts';
import { VERSION_INPUT } from '../../shared/representations/forms/inputs.ts';
import { formOf } from '../support/client/page.ts';
import { timePasses } from '../support/clock.ts';
import { attachedBetween, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf, later, membersCalled, shown, work, workAll } from './world.ts';

/** Cancellation. Source: Specification 7.10, 7.11. */
attachedBetween();

beforeEach(async () => {
  process.env.LEASE_SECONDS = '30';
  await workAll();
});
afterEach(clearFaults);

const inAnHour = () => Date.now() + 3_600_000;
const cancel = (id: number) => ask('DELETE', `/operations/${id}`);
const relations = (operation: Record<string, unknown>) =>
  (operation.links as { rel: string }[]).map(({ rel }) => rel);
const created = (name: string) => later('POST', '/members', { json: { name } });

test('an operation that is canceled before its start never runs', async () => {
  const id = await created('unbegun');
  expect(relations(await shown(id))).toContain('cancel');
  expect((await cancel(id)).status).toBe(204);
  expect(await shown(id)).toMatchObject({ status: 'Canceled', completedAt: expect.any(String) });
  expect(relations(await shown(id))).not.toContain('cancel');
  await workAll();
  expect((await shown(id)).status).toBe('Canceled');
  expect(await membersCalled('unbegun')).toBe(0);
  const again = await cancel(id);
  expect([again.status, bodyOf(again).type]).toEqual([409, '/problems/operation-finished']);
});

// Specification 7.7, 7.11
test('the page of a pending operation refreshes and links the form that cancels it', async () => {
  const id = await created('page');
  const page = () => ask('GET', `/operations/${id}`, { headers: { accept: 'text/html' } });
  const link = `<a class="button quiet danger" href="/operations/${id}/delete">Cancel</a>`;
  const pending = await page();
  expect(pending).toMatchObject({ status: 200, headers: { Refresh: '2' } });
  expect(pending.body).toContain(link);
  // Progress changes the version of an operation, so the form expects none.
  const form = await ask('GET', `/operations/${id}/delete`, { headers: { accept: 'text/html' } });
  expect(formOf(String(form.body)).inputs.has(VERSION_INPUT)).toBe(false);
  await work(id);
  const finished = await page();
  expect(finished.status).toBe(200);
  expect(finished.headers).not.toHaveProperty('Refresh');
  expect(finished.body).not.toContain(link);
});

test('a cancellation has its effect even if its response is lost', async () => {
  const id = await created('lost');
  next('UpdateItem', 'answer lost', { holding: 'Canceled' });
  expect((await cancel(id)).status).toBe(204);
});

describe('the cancellation of a running operation', () => {
  test('holds for every run until one of them stops', async () => {
    const id = await created('stopped');
    await claim(id, inAnHour());
    const answer = await cancel(id);
    expect(answer).toMatchObject({ status: 202, headers: { Location: `/operations/${id}` } });
    expect(bodyOf(answer).status).toBe('Canceling');
    expect(relations(await shown(id))).not.toContain('cancel');
    expect((await cancel(id)).status).toBe(202);
    timePasses(30_001);
    await work(id);
    expect((await shown(id)).status).toBe('Canceled');
    expect(await membersCalled('stopped')).toBe(0);
  });

  test('leaves finished effects, which the operation reports', async () => {
    const id = await created('done');
    next('TransactWriteItems', async () => {
      expect((await cancel(id)).status).toBe(202);
    });
    await work(id);
    expect(await shown(id)).toMatchObject({ status: 'Succeeded', result: { status: 201 } });
    expect(await membersCalled('done')).toBe(1);
  });

  test('becomes a success if the run died after the effect', async () => {
    const id = await created('died');
    next('UpdateItem', 'fails', { times: 99, holding: 'Succeeded' });
    await work(id);
    expect((await cancel(id)).status).toBe(202);
    clearFaults();
    await work(id);
    expect((await shown(id)).status).toBe('Succeeded');
  });

  test('stops after a step and reports the number of processed items', async () => {
    const json = Array.from({ length: 150 }, (_, at) => ({ name: `many ${at}` }));
    const id = await later('POST', '/customers', { json });
    next('TransactWriteItems', async () => {
      expect((await cancel(id)).status).toBe(202);
    });
    await work(id);
    const operation = await shown(id);
    expect(operation.status).toBe('Canceled');
    const { done, total } = operation.progress as { done: number; total: number };
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(total);
    const { items } = bodyOf(await ask('GET', '/customers')) as { items: unknown[] };
    expect(items.length).toBe(Math.min(done, 100));
  });
});

// Specification 7.13
describe('a worker at the end of its time', () => {
  test('leaves the rest to another run until all is done', async () => {
    const json = Array.from({ length: 250 }, (_, at) => ({ name: `long ${at}` }));
    const id = await later('POST', '/customers', { json });
    // Each run has no time left after its first step.
    expect(await workAll(30_000)).toBeGreaterThan(2);
    expect(await shown(id)).toMatchObject({
      status: 'Succeeded',
      percentComplete: 100,
      progress: { done: 250, total: 250, failed: 0 },
    });
  });
});
