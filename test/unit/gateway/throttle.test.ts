import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { USAGE_KEYS, usageKey, usageKeyOf } from '../../../functions/authorizer/usage-key.ts';
import { hasOpenLimit, openMethods, rateHeaders, throttlingOf } from '../../../infra/gateway/throttling.ts';
import { throttle } from '../../../local/gateway/throttle.ts';

const OPTIONS = {
  rateLimit: 20,
  burstLimit: 30,
  callerRateLimit: 3,
  openRateLimit: 2,
  auth: 'token',
} as const;
const HEALTH = { template: '/health', isOpen: true };
const MEMBERS = { template: '/members', isOpen: false };
const ORDERS = { template: '/orders', isOpen: false };

/** A stage with a clock that only the test moves. */
function stage(options: Parameters<typeof throttlingOf>[0] = OPTIONS) {
  let now = 0;
  const admits = throttle(throttlingOf(options), () => now);
  return {
    admits,
    wait: (ms: number) => {
      now += ms;
    },
    /** Sends the request this often. Returns the number of requests that the limits allow. */
    allowed: (times: number, request: Parameters<typeof admits>[0]) =>
      Array.from({ length: times }, () => admits(request)).filter(Boolean).length,
  };
}

test.each([
  ['GET of an open path', { method: 'GET', route: HEALTH, usageKey: undefined }, 4],
  ['HEAD of an open path', { method: 'HEAD', route: HEALTH, usageKey: undefined }, 4],
  ['any other method of an open path', { method: 'POST', route: HEALTH, usageKey: undefined }, 30],
  ['a caller', { method: 'GET', route: MEMBERS, usageKey: 'a' }, 6],
  ['a preflight', { method: 'OPTIONS', route: MEMBERS, usageKey: undefined }, 30],
])('%s has its burst', (_, request, burst) => {
  expect(stage().allowed(100, request)).toBe(burst);
});

test('a caller has one limit for all paths', () => {
  const { allowed } = stage();
  expect(allowed(100, { method: 'GET', route: MEMBERS, usageKey: 'a' })).toBe(6);
  expect(allowed(100, { method: 'GET', route: ORDERS, usageKey: 'a' })).toBe(0);
});

test('refused requests of a caller take nothing from the limit of the path', () => {
  const { allowed } = stage();
  allowed(1000, { method: 'GET', route: MEMBERS, usageKey: 'a' });
  const others = ['b', 'c', 'd', 'e', 'f'].map((usageKey) =>
    allowed(100, { method: 'GET', route: MEMBERS, usageKey }),
  );
  expect(others).toEqual([6, 6, 6, 6, 0]);
});

test('a path refuses all callers when its limit is reached, and other paths do not', () => {
  const { allowed } = stage({ ...OPTIONS, callerRateLimit: 100 });
  expect(allowed(100, { method: 'GET', route: MEMBERS, usageKey: 'a' })).toBe(30);
  expect(allowed(100, { method: 'GET', route: MEMBERS, usageKey: 'b' })).toBe(0);
  expect(allowed(100, { method: 'POST', route: MEMBERS, usageKey: 'b' })).toBe(30);
});

test('without tokens, callers have no limit', () => {
  const { allowed } = stage({ ...OPTIONS, auth: 'none' });
  expect(allowed(100, { method: 'GET', route: MEMBERS, usageKey: undefined })).toBe(30);
});

test('in any interval, a limit allows at most its burst and its rate for the time', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ after: fc.nat(2000), times: fc.nat(9) })), (turns) => {
      const { allowed, wait } = stage();
      let [time, all] = [0, 0];
      for (const { after, times } of turns) {
        wait(after);
        time += after;
        all += allowed(times, { method: 'GET', route: MEMBERS, usageKey: 'a' });
        expect(all).toBeLessThanOrEqual(6 + (3 * time) / 1000);
      }
      wait(2000);
      expect(allowed(100, { method: 'GET', route: MEMBERS, usageKey: 'a' })).toBe(6);
    }),
  );
});

// Specification 10.11
test.each([
  [OPTIONS, 2],
  [{ ...OPTIONS, openRateLimit: 9 }, 3],
  [{ ...OPTIONS, openRateLimit: 99, auth: 'none' }, 20],
] as const)('the fields of a 429 state the strictest limit', (options, quota) => {
  expect(rateHeaders(throttlingOf(options))).toEqual({
    'RateLimit-Policy': `"strictest";q=${quota};w=1`,
    RateLimit: '"strictest";r=0;t=1',
  });
});

test('the settings of the stage name each method with the limit for open paths', () => {
  const routes = [HEALTH, MEMBERS].map((route) => ({ ...route, resource: 'root' }));
  expect(openMethods(routes)).toEqual(['/health/GET', '/health/HEAD']);
  expect(hasOpenLimit(HEALTH, 'GET')).toBe(true);
  expect(hasOpenLimit(MEMBERS, 'GET')).toBe(false);
});

test('each caller always has the same key, which exists, and callers use all keys', () => {
  const keys = Array.from({ length: USAGE_KEYS }, (_, number) => usageKey('shop', number));
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{40}$/);
  expect(new Set(keys).size).toBe(USAGE_KEYS);
  expect(usageKey('other', 0)).not.toBe(keys[0]);
  const used = Array.from({ length: 400 }, (_, number) => usageKeyOf('shop', `caller-${number}`));
  expect(new Set(used)).toEqual(new Set(keys));
  expect(usageKeyOf('shop', 'ada')).toBe(usageKeyOf('shop', 'ada'));
});
