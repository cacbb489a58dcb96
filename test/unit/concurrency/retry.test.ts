import { describe, expect, test } from '@jest/globals';
import { attempts, type RetryPolicy } from '../../../shared/concurrency/retry.ts';
import * as RETRIES from '../../../shared/concurrency/retry-policies.ts';

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
      for (const [at, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual((at + 1) * 10);
        expect(pause).toBeLessThanOrEqual((at + 1) * 30);
      }
    }
  });

  test.each(Object.entries(RETRIES))('of the policy %s end within the 29 s of a request', (_name, policy) => {
    const { attempts: most, pauseMs, jitter } = policy;
    expect(((most * (most - 1)) / 2) * pauseMs * (1 + jitter)).toBeLessThan(29_000);
  });
});
