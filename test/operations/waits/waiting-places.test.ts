import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitInPlace } from '../../../shared/store/idempotency/waiting-places.ts';
import { timePasses } from '../../support/clock.ts';
import { attachedBetween, clearFaults, next } from '../fault-injection.ts';
import { ask, later, workAll } from '../world.ts';

/** The places in which requests wait. Specification 7.4. */
attachedBetween();

beforeEach(() => {
  // Waits of other tests have ended.
  timePasses(60_000);
});
afterEach(() => {
  delete process.env.MAXIMUM_WAITS;
  clearFaults();
});

const WAIT = 20_000;

/** Begins waits of callers, until each has a place or is refused. */
async function waits(callers: readonly (string | undefined)[]) {
  const ends: (() => void)[] = [];
  let refused = 0;
  const all = callers.map(async (caller) => {
    const waited = await waitInPlace(
      caller,
      WAIT,
      () => new Promise<true>((end) => ends.push(() => end(true))),
    );
    if (!waited) refused += 1;
  });
  while (ends.length + refused < callers.length) await new Promise((later) => setTimeout(later, 10));
  return {
    begun: ends.length,
    async end() {
      for (const one of ends) one();
      await Promise.all(all);
    },
  };
}

const times = (count: number, caller?: string) => Array.from({ length: count }, () => caller);

test('one caller takes ten of them at most, and leaves them for the next waits', async () => {
  const first = await waits(times(30, 'ada'));
  expect(first.begun).toBeGreaterThan(5);
  expect(first.begun).toBeLessThanOrEqual(10);
  const other = await waits(times(1, 'bob'));
  expect(other.begun).toBe(1);
  await Promise.all([first.end(), other.end()]);
  const second = await waits(times(30, 'ada'));
  expect(second.begun).toBe(first.begun);
  await second.end();
});

test.each([
  ['of an open service', times(30)],
  ['of many callers', Array.from({ length: 30 }, (_, at) => `caller ${at}`)],
])('all requests %s take no more than there are', async (_, callers) => {
  process.env.MAXIMUM_WAITS = '5';
  const all = await waits(callers);
  expect(all.begun).toBeGreaterThan(0);
  expect(all.begun).toBeLessThanOrEqual(5);
  await all.end();
});

describe('the place of a wait whose process died', () => {
  beforeEach(() => {
    process.env.MAXIMUM_WAITS = '1';
  });

  test('is free after its time, and the late end of that wait frees no place of another', async () => {
    const died = await waits(times(1, 'ada'));
    expect(died.begun).toBe(1);
    timePasses(WAIT);
    expect((await waits(times(1, 'bob'))).begun).toBe(0);
    timePasses(11_000);
    const after = await waits(times(1, 'bob'));
    expect(after.begun).toBe(1);
    await died.end();
    expect((await waits(times(1, 'cid'))).begun).toBe(0);
    await after.end();
    const last = await waits(times(1, 'cid'));
    expect(last.begun).toBe(1);
    await last.end();
  });

  test('is left again although DynamoDB refuses to say so', async () => {
    const failing = await waits(times(1, 'ada'));
    next('PutItem', 'fails', { times: 10 });
    await failing.end();
    clearFaults();
    timePasses(WAIT + 11_000);
    const after = await waits(times(1, 'bob'));
    expect(after.begun).toBe(1);
    await after.end();
  });
});

describe('without a place, a request is answered at once', () => {
  const wait = { prefer: 'wait=5' };

  beforeEach(() => {
    process.env.MAXIMUM_WAITS = '1';
  });

  test.each(['an operation that runs', 'a request that becomes one', 'the list of changes'])(
    'for %s, with Retry-After and without Preference-Applied',
    async (what) => {
      const id = await later('POST', '/members', { json: { name: 'a' } });
      const other = await waits(times(1, 'ada'));
      const since = new Map([['since', [new Date(Date.now() + 86_400_000).toISOString()]]]);
      const { status, headers } = await {
        'an operation that runs': () => ask('GET', `/operations/${id}`, { headers: wait }),
        'a request that becomes one': () =>
          ask('POST', '/members', { json: { name: 'a' }, headers: { prefer: 'respond-async, wait=5' } }),
        'the list of changes': () => ask('GET', '/changes', { headers: wait, query: since }),
      }[what as 'the list of changes']();
      expect([what, status]).toEqual([what, what.includes('becomes') ? 202 : 200]);
      expect(headers['Preference-Applied'] ?? '').not.toContain('wait');
      expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
      await other.end();
      await workAll();
    },
  );

  test('a request that need not wait takes none', async () => {
    const id = await later('POST', '/members', { json: { name: 'a' } });
    await workAll();
    const other = await waits(times(1, 'ada'));
    const { status, headers } = await ask('GET', `/operations/${id}`, { headers: wait });
    expect([status, headers['Preference-Applied'], headers['Retry-After']]).toEqual([
      303,
      'wait=5',
      undefined,
    ]);
    await other.end();
  });
});
