import { describe, expect, test } from '@jest/globals';
import { attempts, type RetryPolicy } from '../../../shared/concurrency/retry.ts';
import * as RETRIES from '../../../shared/concurrency/retry-policies.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';

/** Uses all attempts of a policy. Returns their numbers, and the pauses between them in ms. */
async function used(policy: RetryPolicy) {
  const pauses: number[] = [];
  const numbers: number[] = [];
  for await (const attempt of attempts(policy, async (ms) => pauses.push(ms))) numbers.push(attempt);
  return { numbers, pauses };
}

describe('attempts', () => {
  test('yields as many attempts as the policy allows, and pauses before each but the first', async () => {
    const { numbers, pauses } = await used({ attempts: 4, pauseMs: 15, jitter: 0 });
    expect(numbers).toEqual([0, 1, 2, 3]);
    expect(pauses).toEqual([15, 30, 45]);
  });

  test('does not pause after the attempt that succeeds', async () => {
    const pauses: number[] = [];
    for await (const attempt of attempts(RETRIES.bulk, async (ms) => pauses.push(ms))) {
      if (attempt === 1) break;
    }
    expect(pauses).toHaveLength(1);
  });

  test('does not wait at all if the policy has no pause', async () => {
    expect(await used({ attempts: 3, pauseMs: 0, jitter: 1 })).toEqual({ numbers: [0, 1, 2], pauses: [] });
  });

  test('varies the pause by the share that is random', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { pauses } = await used({ attempts: 3, pauseMs: 20, jitter: 0.5 });
      for (const [at, pause] of atLeastOne(pauses.entries())) {
        expect(pause).toBeGreaterThanOrEqual((at + 1) * 10);
        expect(pause).toBeLessThanOrEqual((at + 1) * 30);
      }
    }
  });

  test('lets fifty transactions that begin together at one item all succeed', async () => {
    const HELD_MS = 8;
    let free = 0;
    /** A transaction succeeds if no other one holds the item. Returns true if one of its attempts succeeds. */
    async function* writer(begin: number): AsyncGenerator<number, boolean> {
      let time = begin;
      const pauses = attempts(RETRIES.transaction, async (ms) => {
        time += ms;
      });
      for await (const _ of pauses) {
        yield time;
        if (time >= free) {
          free = time + HELD_MS;
          return true;
        }
      }
      return false;
    }
    const writers = Array.from({ length: 50 }, (_, at) => writer(at / 10));
    const waiting = await Promise.all(writers.map(async (one) => ({ one, next: await one.next() })));
    const succeeded: (number | boolean)[] = [];
    while (waiting.length > 0) {
      waiting.sort((one, other) => Number(one.next.value) - Number(other.next.value));
      const [first] = waiting.splice(0, 1);
      if (!first) break;
      const next = await first.one.next();
      if (next.done) succeeded.push(next.value);
      else waiting.push({ one: first.one, next });
    }
    expect(succeeded).toEqual(Array(50).fill(true));
  });

  test.each(Object.entries(RETRIES))('of the policy %s end within the 29 s of a request', (_name, policy) => {
    const { attempts: most, pauseMs, jitter } = policy;
    expect(((most * (most - 1)) / 2) * pauseMs * (1 + jitter)).toBeLessThan(29_000);
  });
});
