import { describe, expect, test } from '@jest/globals';
import { simulateIsolated } from '../scale/isolated.ts';
import { VirtualClock } from '../scale/simulator/clock.ts';
import { Bucket } from '../scale/simulator/model/bucket.ts';
import { guarded } from '../scale/simulator/model/firewall.ts';
import { Gateway } from '../scale/simulator/model/gateway.ts';
import { Lambda } from '../scale/simulator/model/lambda.ts';
import { ceilingOf, type Kind, Partitions, partitionsFor } from '../scale/simulator/model/partitions.ts';
import { Refusals } from '../scale/simulator/model/refusals.ts';
import { DEFAULTS, loadOf } from '../scale/simulator/scenarios.ts';

const NEW = { read: 0, write: 0 };

describe('a bucket', () => {
  /** The requests of each second that pass, if so many ask. */
  const passed = (bucket: Bucket, asked: number, weight: number, seconds: number): number[] =>
    Array.from({ length: seconds }, (_, second) => {
      let count = 0;
      for (let at = 0; at < asked; at += weight)
        if (bucket.take(weight, 1000 * second + (1000 * at) / asked)) count += weight;
      return count;
    });

  test.each([1, 10, 100])('lets the burst and then the rate pass, with requests of weight %i', (weight) => {
    const [first = 0, second = 0, third = 0] = passed(new Bucket(500, 1000), 2000, weight, 3);
    expect(Math.abs(first - 1500)).toBeLessThanOrEqual(weight);
    expect(Math.abs(second - 500)).toBeLessThanOrEqual(weight);
    expect(Math.abs(third - 500)).toBeLessThanOrEqual(weight);
  });

  test('keeps no more than its burst', () => {
    const bucket = new Bucket(10, 50, 0);
    expect([1000, 3000, 60_000].map((now) => bucket.tokens(now))).toEqual([10, 30, 50]);
  });
});

test('API Gateway asks the caller first, then the method, then the account', () => {
  const of = (caller: number, method: number, account: number) => {
    const limit = (rate: number) => ({ rate, burst: rate });
    const gateway = new Gateway({ caller: limit(caller), method: limit(method) }, limit(account));
    gateway.refusal('GET /members', 0, 1, 0);
    return gateway.refusal('GET /members', 0, 1, 0);
  };
  expect([of(1, 1, 1), of(9, 1, 1), of(9, 9, 1), of(9, 9, 9)]).toEqual([
    'caller',
    'method',
    'account',
    undefined,
  ]);
});

describe('the firewall', () => {
  const limit = { limit: 60_000, windowSeconds: 300 };
  const of = (rate: number, hasToken: boolean, seconds = 1800) => guarded(limit, { rate, hasToken, seconds });

  test.each([
    [200, false],
    [100_000, true],
  ])('lets %i requests a second pass, with a token: %s', (rate, hasToken) => {
    expect(of(rate, hasToken)).toEqual({ passed: 1, refusedFrom: undefined });
  });

  test('refuses a flood without a token from the estimate above the limit, and as long as it goes on', () => {
    expect(of(1000, false)).toEqual({ passed: 70 / 1800, refusedFrom: 70 });
    expect(of(201, false)).toMatchObject({ refusedFrom: 300 });
  });
});

describe('partitions', () => {
  test.each([
    [NEW, 4],
    [{ read: 12_000, write: 4000 }, 4],
    [{ read: 40_000, write: 0 }, 14],
    [{ read: 0, write: 40_000 }, 40],
  ])('for %j are %i', (units, expected) => {
    expect(partitionsFor(units)).toBe(expected);
  });

  test.each<[number, Kind, number]>([
    [0, 'read', 12_000],
    [0, 'write', 4000],
    [30_000, 'write', 30_000],
    [90_000, 'read', 40_000],
  ])('with a warm throughput of %i have a ceiling', (warm, kind, expected) => {
    expect(ceilingOf(warm, 40_000, kind)).toBe(expected);
  });

  /** Asks for a unit at each of the keys a thousand times a second. Returns the admitted units of the last second. */
  function admitted(keys: readonly number[], splitMs: number, seconds: number) {
    const partitions = new Partitions(NEW, 40_000, splitMs);
    let last = 0;
    for (let ms = 0; ms < seconds * 1000; ms += 1)
      for (const key of keys) {
        if (partitions.refusal(key, 'write', ms) !== undefined) continue;
        partitions.charge(key, 'write', 1, ms);
        if (ms >= (seconds - 1) * 1000) last += 1;
      }
    return { last, count: partitions.count };
  }

  test('carry a thousand write units a second each', () => {
    const { last } = admitted([0.1, 0.2], Number.POSITIVE_INFINITY, 5);
    expect(Math.abs(last - 1000)).toBeLessThanOrEqual(2);
  });

  test('become two after some heat, and carry twice as much', () => {
    expect(admitted([0.1, 0.2], 2000, 6)).toMatchObject({ count: 5 });
    expect(admitted([0.1, 0.2], 2000, 6).last).toBeGreaterThan(1990);
  });

  test('do not divide one key', () => {
    const { last, count } = admitted([0.1, 0.1], 2000, 6);
    expect(count).toBe(4);
    expect(Math.abs(last - 1000)).toBeLessThanOrEqual(2);
  });

  test('refuse above the ceiling of the table', () => {
    const partitions = new Partitions({ read: 0, write: 40_000 }, 4000, Number.POSITIVE_INFINITY);
    partitions.charge(0.1, 'write', 4001, 0);
    expect(partitions.refusal(0.9, 'write', 0)).toBe('table');
  });
});

describe('Lambda', () => {
  const invoked = (lambda: Lambda, times: number, now = 0) =>
    Array.from({ length: times }, () => lambda.invoke('members', 1, now));

  test('starts a thousand environments at once, and then a hundred a second', () => {
    const lambda = new Lambda(5000);
    const by = (kind: string, all: ReturnType<typeof invoked>) =>
      all.filter((one) => one.kind === kind).length;
    expect(by('started', invoked(lambda, 1200))).toBe(1000);
    expect(by('started', invoked(lambda, 1200, 1000))).toBe(100);
  });

  test('refuses above the quota, and uses a free environment again', () => {
    const lambda = new Lambda(2);
    const [first] = invoked(lambda, 2);
    expect(lambda.invoke('members', 1, 0)).toEqual({ kind: 'refused', by: 'concurrency' });
    if (first?.kind === 'started') lambda.release('members', first.environment);
    expect(lambda.invoke('members', 1, 0)).toMatchObject({ kind: 'started', isCold: false });
  });

  test('serves ten requests a second for each environment of the quota', () => {
    const lambda = new Lambda(1);
    const answers = Array.from({ length: 12 }, () => {
      const one = lambda.invoke('members', 1, 0);
      if (one.kind === 'started') lambda.release('members', one.environment);
      return one.kind;
    });
    expect(answers.filter((kind) => kind === 'started')).toHaveLength(10);
  });
});

test('a virtual clock runs events by their time, and then by their order', async () => {
  const clock = new VirtualClock(1);
  const seen: string[] = [];
  for (const [name, ms] of [
    ['c', 30],
    ['a', 10],
    ['b', 10],
    ['d', 3_600_000],
  ] as const)
    clock.after(ms, () => seen.push(`${name} ${clock.now}`));
  clock.after(20, () => seen.push('never')).action = undefined;
  await clock.run();
  expect(seen).toEqual(['a 10', 'b 10', 'c 30', 'd 3600000']);
});

test('refusals count in their time, and come by the first one', () => {
  const refusals = new Refusals(1000, 3000);
  refusals.note('late', 4, 1500);
  refusals.note('early', 1, 500);
  refusals.note('early', 1, 2000);
  expect(Object.entries(refusals.all())).toEqual([
    ['early', { rate: 0.5, from: 500 }],
    ['late', { rate: 2, from: 1500 }],
  ]);
});

describe('a simulation', () => {
  const deployment = { ...DEFAULTS, rateLimit: 80, burstLimit: 80 };
  const load = { ...loadOf(200, deployment), rampSeconds: 1, seconds: 10 };
  const okOf = ({ bins }: Awaited<ReturnType<typeof simulateIsolated>>) =>
    bins.slice(1).reduce((sum, { answers }) => sum + (answers.ok ?? 0), 0) / (bins.length - 1);

  test('has the same outcome each time', async () => {
    const [one, other] = await Promise.all([simulateIsolated(load), simulateIsolated(load)]);
    expect(one).toEqual(other);
    expect(Object.keys(one.refusals)).toEqual(['API Gateway: method']);
  }, 60_000);

  test('of one request for ten agrees with that of each request', async () => {
    const [each, tenth] = await Promise.all([
      simulateIsolated({ ...load, weight: 1 }),
      simulateIsolated({ ...load, weight: 10 }),
    ]);
    expect(Math.abs(okOf(each) / okOf(tenth) - 1)).toBeLessThan(0.1);
  }, 120_000);
});
