import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** The shorter length, and how many times longer the other one is. */
const LENGTH = 25_000;
const TIMES = 16;
/** Milliseconds below which a measurement means nothing. */
const LEAST_MS = 2;
const RUNS = 3;

/** The CPU time of work in ms: the shortest of some runs, because other work of the process slows single runs. */
async function timeOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    // Lets Jest's time limit fail the test.
    await setImmediate();
  }
  return Math.max(Math.min(...times), LEAST_MS);
}

/**
 * Expects that the time of work grows with the length of its input. For 16 times the length it may take 64 times as
 * long. Work that grows with the square takes 256 times as long.
 */
export async function expectLinear(work: (length: number) => unknown): Promise<void> {
  const short = await timeOf(() => work(LENGTH));
  const long = await timeOf(() => work(LENGTH * TIMES));
  expect(long / short).toBeLessThan(TIMES * 4);
}
