/** Starts servers to measure, each in a process of its own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../test/support/free-port.ts';
import { temporary } from '../../../test/support/service/service.ts';
import { type RunningServer, running } from '../../running.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A running server in a separate process, with its own folder. */
export interface MeasuredServer extends RunningServer {
  readonly url: string;
  /** Present resident memory in MB. */
  resident(): number;
  /** Processor time of all its threads since its start, in µs. The kernel counts in steps of 10 ms. */
  processorTime(): number;
}

/** Starts `npm start` with the options of Node that its script has. */
export function npmStart(...args: readonly string[]): Promise<MeasuredServer> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [, ...options] = (scripts.start as string).split(' ').slice(0, -1);
  return started('local/start.mjs', args, options);
}

/** Starts a script of this repository, which listens on PORT and reads DATA_DIR. `options`: of Node. */
export async function started(
  script: string,
  args: readonly string[] = [],
  options: readonly string[] = [],
): Promise<MeasuredServer> {
  const { directory, remove } = await temporary();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, stop } = await running({
    name: script,
    command: process.execPath,
    args: [...options, join(ROOT, script), ...args],
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: join(directory, 'data'), ENGINE_PORT: '0' },
    url: `${url}/health`,
  });
  const { pid } = child;
  return {
    url,
    resident: () => residentMemory(pid),
    processorTime: () => processorTime(pid),
    stop: async () => {
      await stop();
      await remove();
    },
  };
}

/** The resident memory of a process in MB. Source: proc_pid_status(5). */
export const residentMemory = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** µs of one clock tick in /proc. Source: proc_pid_stat(5), sysconf(3). */
const TICK = 10_000;

/** `utime` and `stime` of a process, in µs. The name in parentheses can contain spaces. Source: proc_pid_stat(5). */
export function processorTime(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
