import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { handler as deadLetters } from '../../functions/dead-letters/handler.ts';
import { handler as sweep } from '../../functions/sweeper/handler.ts';
import { claim } from '../../functions/worker/claim.ts';
import { begin } from '../../shared/operations/accepting/defer.ts';
import { ANYONE } from '../../shared/resource/access/owner.ts';
import { timePasses } from '../support/clock.ts';
import { attachedBetween, clearFaults, next } from './fault-injection.ts';
import { later, membersCalled, recordOf, recordOfMessage, shown, taken, work, workAll } from './world.ts';

/** After a crash, a lost message or a repeated message, an operation ends and has its effect once. */
attachedBetween();

beforeEach(async () => {
  process.env.LEASE_SECONDS = '30';
  await workAll();
});
afterEach(clearFaults);

const LEASE = 30_000;
const inAnHour = () => Date.now() + 3_600_000;
const created = (name: string) => later('POST', '/members', { json: { name } });

// Specification 7.14
test('the sweeper sends a message that was never sent', async () => {
  const id = await created('unsent');
  await taken();
  await sweep();
  expect(await taken()).toBeUndefined();
  timePasses(2 * LEASE + 20);
  await sweep();
  expect(await workAll()).toBe(1);
  expect((await shown(id)).status).toBe('Succeeded');
  timePasses(2 * LEASE + 20);
  await sweep();
  expect(await taken()).toBeUndefined();
});

test('one message that the sweeper cannot send does not delay the others', async () => {
  const ids = [await created('a'), await created('b'), await created('c')];
  while (await taken());
  timePasses(2 * LEASE + 20);
  next('SendMessage', 'fails', { times: 3 });
  await expect(sweep()).rejects.toThrow('1 could not be sent');
  expect(await workAll()).toBe(2);
  // The next run finds it again, at once.
  await sweep();
  expect(await workAll()).toBe(1);
  for (const id of ids) expect((await shown(id)).status).toBe('Succeeded');
});

test('the sweeper sends the message of a waiting operation again less and less often', async () => {
  const now = Date.now();
  const hour = 3_600_000;
  const accepted = await begin(
    { caller: ANYONE, now: now - hour },
    { kind: 'members.create', handler: 'request', dueAt: now - 1 },
  );
  const id = accepted.kind === 'accepted' ? Number(accepted.item.id) : 0;
  await sweep();
  const { _dueAt: due, _version: version } = await recordOf(id);
  expect(Number(due?.N)).toBeGreaterThanOrEqual(now + hour / 2);
  expect(version?.N).toBe('1');
  await taken();
});

describe('a crashed worker', () => {
  // Specification 7.13, 7.14
  test('is detected when its lease expires, and another worker takes over', async () => {
    const id = await created('begun');
    expect(await claim(id, inAnHour())).toBeDefined();
    await workAll();
    expect((await shown(id)).status).toBe('Running');
    timePasses(LEASE + 20);
    await sweep();
    await workAll();
    expect((await shown(id)).status).toBe('Succeeded');
    expect(await membersCalled('begun')).toBe(1);
  });

  test('that crashed after the effect does not cause a second effect', async () => {
    const id = await created('had');
    // The run ends with the transaction and leaves its lease behind.
    next('UpdateItem', 'fails', { times: 99, holding: 'Succeeded' });
    expect(await work(id)).toBe(false);
    expect((await shown(id)).status).toBe('Running');
    clearFaults();
    expect(await work(id)).toBe(true);
    expect(await shown(id)).toMatchObject({ status: 'Succeeded', result: { status: 201 } });
    expect(await membersCalled('had')).toBe(1);
  });

  test('that crashes repeatedly makes the service abandon the operation', async () => {
    const id = await created('deadly');
    for (let crashes = 0; crashes < 5; crashes += 1) {
      expect(await claim(id, inAnHour())).toMatchObject({ crashes });
      timePasses(LEASE + 20);
    }
    await work(id);
    expect(await shown(id)).toMatchObject({ status: 'Failed', error: { status: 503 } });
    expect(await membersCalled('deadly')).toBe(0);
  });
});

// Specification 7.13
describe('a lease', () => {
  test('lets one of two workers run the operation', async () => {
    const id = await created('two');
    await Promise.all([work(id), work(id), work(id)]);
    expect((await shown(id)).status).toBe('Succeeded');
    expect(await membersCalled('two')).toBe(1);
  });

  test('is held even if the response to its write is lost', async () => {
    const id = await created('granted');
    next('UpdateItem', 'answer lost', { holding: 'Running' });
    expect(await work(id)).toBe(true);
    expect((await shown(id)).status).toBe('Succeeded');
  });

  test('is renewed during long work, and clients see no difference', async () => {
    process.env.LEASE_SECONDS = '3';
    const id = await created('slow');
    const renewed = { claim: true, version: '' };
    next('TransactWriteItems', async () => {
      const first = await recordOf(id);
      let now = first;
      while (now._leaseUntil?.N === first._leaseUntil?.N) {
        await pause(50);
        now = await recordOf(id);
      }
      renewed.claim = (await claim(id, inAnHour())) !== undefined;
      renewed.version = `${first._version?.N} ${now._version?.N}`;
    });
    await work(id);
    expect(renewed).toEqual({ claim: false, version: '2 2' });
    expect((await shown(id)).status).toBe('Succeeded');
  });
});

test('a repeated message after the end changes nothing', async () => {
  const id = await created('again');
  await work(id);
  const before = await recordOf(id);
  await work(id);
  expect(await recordOf(id)).toEqual(before);
  expect(await membersCalled('again')).toBe(1);
});

test('the worker drops a message about a deleted operation', async () => {
  expect(await work(1)).toBe(true);
  expect(await deadLetters({ Records: [recordOfMessage(1)] })).toEqual({ batchItemFailures: [] });
});

// Specification 7.15
describe('a dead letter', () => {
  const died = (id: number) => deadLetters({ Records: [recordOfMessage(id)] });

  test('ends its operation with a problem that names the request', async () => {
    const id = await created('dead');
    expect(await died(id)).toEqual({ batchItemFailures: [] });
    expect(await shown(id)).toMatchObject({
      status: 'Failed',
      completedAt: expect.any(String),
      error: { type: '/problems/unavailable', status: 503, instance: '/members', requestId: 'asked' },
    });
    await work(id);
    expect(await membersCalled('dead')).toBe(0);
  });

  test('reports success if the operation had its effect', async () => {
    const id = await created('done');
    next('UpdateItem', 'fails', { times: 99, holding: 'Succeeded' });
    await work(id);
    clearFaults();
    await died(id);
    expect(await shown(id)).toMatchObject({ status: 'Succeeded', result: { status: 201 } });
  });

  test('leaves an active run alone', async () => {
    const id = await created('held');
    await claim(id, inAnHour());
    await died(id);
    expect((await shown(id)).status).toBe('Running');
  });

  test('returns to its queue while the table does not respond, and other dead letters do not', async () => {
    const [one, other] = [await created('first'), await created('second')];
    next('UpdateItem', 'fails', { times: 3, holding: String(one) });
    expect(await deadLetters({ Records: [recordOfMessage(one), recordOfMessage(other)] })).toEqual({
      batchItemFailures: [{ itemIdentifier: String(one) }],
    });
    expect((await shown(other)).status).toBe('Failed');
  });
});
