import { readdirSync } from 'node:fs';
import { residentMemory } from '../bench/servers/process.ts';
import type { Counts } from './persistent.ts';

/** The state of the service at one time. */
export interface Sample {
  /** Seconds since the start of the soak. */
  readonly at: number;
  /** Answers a second since the sample before. */
  readonly rate: number;
  /** Resident memory in MB. */
  readonly memory: number;
  /** Open files and sockets. */
  readonly handles: number;
}

/** Takes samples of the process that runs the service. It reads /proc, so it needs Linux. */
export class Watch {
  readonly samples: Sample[] = [];
  readonly #counts: Counts;
  readonly #start = performance.now();
  #last: readonly [at: number, answers: number] = [0, 0];

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** Takes a sample of the process `pid`. */
  take(pid: number): void {
    const at = (performance.now() - this.#start) / 1000;
    const { answers } = this.#counts;
    const [before, fewer] = this.#last;
    this.#last = [at, answers];
    this.samples.push({ at, rate: (answers - fewer) / (at - before), ...readProcess(pid) });
  }
}

/** The resident memory of a process in MB, and its number of open files and sockets. Source: proc(5). */
export const readProcess = (pid: number): Pick<Sample, 'memory' | 'handles'> => ({
  memory: residentMemory(pid),
  handles: readdirSync(`/proc/${pid}/fd`).length,
});

/** How much the median of the last third of some numbers exceeds that of the middle third: 1 means not at all. */
export function growth(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  const median = (some: readonly number[]): number => [...some].sort((a, b) => a - b)[some.length >> 1] ?? 0;
  return median(values.slice(-third)) / median(values.slice(third, 2 * third));
}
