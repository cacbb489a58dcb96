import { fileURLToPath } from 'node:url';
import { succeed } from '../program.ts';
import type { Items, Measured } from './items/measure.ts';
import type { Backlog, Drained } from './simulator/log.ts';
import type { Load, Outcome } from './simulator/simulate.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const run = async <Result>(kind: string, input: object): Promise<Result> =>
  JSON.parse(await succeed(process.execPath, [MAIN, kind, JSON.stringify(input)], `It failed to ${kind}`));

/** Measures requests to two stores in a process of its own. */
export const measureIsolated = (measured: Measured): Promise<Items> => run('measure', measured);
/** Simulates a load in a process of its own. */
export const simulateIsolated = (load: Load): Promise<Outcome> => run('simulate', load);
/** Drains a backlog in a process of its own. */
export const drainIsolated = (backlog: Backlog): Promise<Drained> => run('drain', backlog);
