import { describe, expect, test } from '@jest/globals';
import { mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';

const turn = () => new Promise((later) => setImmediate(later));

describe('concurrently', () => {
  test('returns the results in the order of the elements, whichever call ends first', async () => {
    const results = await mapConcurrently(3, [3, 1, 2, 0], async (turns) => {
      for (let at = 0; at < turns; at += 1) await turn();
      return turns * 10;
    });
    expect(results).toEqual([30, 10, 20, 0]);
  });

  test.each([1, 2, 7, 50])('has at most %i calls at the same time', async (limit) => {
    let running = 0;
    let most = 0;
    await mapConcurrently(limit, Array.from({ length: 20 }), async () => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
    });
    expect(most).toBe(Math.min(limit, 20));
  });

  test('throws the first error, and starts no further call after it', async () => {
    const started: number[] = [];
    const all = mapConcurrently(2, [0, 1, 2, 3, 4, 5], async (one) => {
      started.push(one);
      await turn();
      if (one === 1) throw new Error('fails');
      await turn();
    });
    await expect(all).rejects.toThrow('fails');
    for (let at = 0; at < 10; at += 1) await turn();
    expect(started).toEqual([0, 1]);
  });

  test('returns an empty list for no elements', async () => {
    expect(await mapConcurrently(4, [], async () => 1)).toEqual([]);
  });
});
