import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectLog } from '../engines/collected-log.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type Harness, startHarness } from './harness.ts';
import { type Extent, type Fault, isOwnCase, Network, type Plan } from './network.ts';
import type { Scenario } from './scenarios/scenario.ts';

/**
 * Makes one engine call after another fail, in each way that calls can fail. The response is a true success, or 503
 * with Retry-After. Afterwards, accepted operations end, and no effect happens twice or in part. FAULTS=all tries
 * every way on every call, except for ways that equal another one on this call. Otherwise SEED chooses some.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const ALL = process.env.FAULTS === 'all';
/** Ways to try on each call if FAULTS is not all. */
const TRIED = 1;
/** Of up to this number of calls, all get faults. */
const FEW = 16;
/** Of more calls, about this number of them. */
const SOME = 8;

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

/** Runs a scenario with or without a fault. Returns its requests to engines. */
async function gone([, prepare]: Scenario, plan?: Plan) {
  tags += 1;
  const { act, verify } = await prepare(current, `fault-${tags}`);
  network.arm(plan);
  await act();
  const { requests } = await network.disarm();
  await current.settle();
  await verify();
  return requests;
}

/** True for the calls that get faults: all of a few, or the first, the last and some others of many. */
function isHit(nth: number, count: number): boolean {
  const step = Math.ceil(count / (SOME / 2));
  return count <= FEW || nth <= SOME / 4 || nth > count - SOME / 4 || nth % step === 0;
}

/** Tests each scenario with faults on its calls. */
export const testEveryCall = (scenarios: readonly Scenario[]): void =>
  describe(`a scenario survives engine failures (SEED=${SEED})`, () => {
    beforeAll(async () => {
      collectLog();
      current = await startHarness(network.to);
    });
    afterAll(() => current.close());

    test.each(scenarios)(
      '%s',
      async (...scenario) => {
        const next = randomNumbers(SEED);
        const requests = await gone(scenario);
        expect(requests.length).toBeGreaterThan(0);
        const failed: string[] = [];
        for (const [at, request] of requests.entries()) {
          const nth = at + 1;
          if (!isHit(nth, requests.length)) continue;
          const own = WAYS.filter(([fault]) => isOwnCase(fault, request));
          const ways = ALL ? own : Array.from({ length: TRIED }, () => own[Math.floor(next() * own.length)]);
          for (const [fault, extent] of ways as typeof WAYS) {
            await gone(scenario, { fault, extent, nth }).catch((error: Error) => {
              failed.push(`call ${nth} of ${requests.length}, ${fault} of the ${extent}: ${error.message}`);
            });
          }
        }
        expect(failed).toEqual([]);
      },
      240_000,
    );
  });
