import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectLog } from '../engines/collected-log.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type Harness, startHarness } from './harness.ts';
import { type Extent, type Fault, Network, type Plan } from './network.ts';
import { bulk } from './scenarios/bulk.ts';
import { files } from './scenarios/files.ts';
import { operations } from './scenarios/operations.ts';
import { requests } from './scenarios/requests.ts';
import type { Scenario } from './scenarios/scenario.ts';

/**
 * Makes one engine call after another fail, in each way that calls can fail. The response is a true success, or 503
 * with Retry-After. Afterwards, accepted operations end, and no effect happens twice or in part. FAULTS=all tries
 * every way on every call. Otherwise SEED chooses some.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const ALL = process.env.FAULTS === 'all';
/** Ways to try on each call if FAULTS is not all. */
const TRIED = 1;
/** Consecutive calls of one kind get at most this number of faults. */
const HIT = 16;

const WAYS: readonly (readonly [Fault, Extent])[] = [
  ['error', 'attempt'],
  ['error', 'call'],
  ['error', 'outage'],
  ['lost', 'attempt'],
  ['lost', 'call'],
  ['lost', 'outage'],
  ['late', 'attempt'],
  ['late', 'call'],
  ['throttled', 'call'],
  ['conflict', 'call'],
  ['conflict', 'outage'],
];

const network = new Network();
let current: Harness;
let tags = 0;

/** Runs a scenario with or without a fault. Returns its number of calls. */
async function gone([, prepare]: Scenario, plan?: Plan): Promise<number> {
  tags += 1;
  const { act, verify } = await prepare(current, `fault-${tags}`);
  network.arm(plan);
  await act();
  const { calls } = await network.disarm();
  await current.settle();
  await verify();
  return calls;
}

/** The calls that get a fault: all of a few, or the first, the last and some others of many. */
function hitOf(calls: number): number[] {
  const all = Array.from({ length: calls }, (_, at) => at + 1);
  if (calls <= HIT) return all;
  const step = Math.ceil(calls / (HIT / 2));
  return all.filter((nth) => nth <= HIT / 4 || nth > calls - HIT / 4 || nth % step === 0);
}

describe(`a scenario survives engine failures (SEED=${SEED})`, () => {
  beforeAll(async () => {
    collectLog();
    current = await startHarness(network.to);
  });
  afterAll(() => current.close());

  test.each([...requests, ...files, ...operations, ...bulk])(
    '%s',
    async (...scenario) => {
      const next = randomNumbers(SEED);
      const calls = await gone(scenario);
      expect(calls).toBeGreaterThan(0);
      const failed: string[] = [];
      for (const nth of hitOf(calls)) {
        const ways = ALL ? WAYS : Array.from({ length: TRIED }, () => WAYS[Math.floor(next() * WAYS.length)]);
        for (const [fault, extent] of ways as typeof WAYS) {
          await gone(scenario, { fault, extent, nth }).catch((error: Error) => {
            failed.push(`call ${nth} of ${calls}, ${fault} of the ${extent}: ${error.message}`);
          });
        }
      }
      expect(failed).toEqual([]);
    },
    240_000,
  );
});
