/** Starts servers to measure, each in a process of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const heap = join(import.meta.dirname, 'heap.mjs');

/** A server to start. It reads DATA_DIR. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running server in a separate process, with its own folder. */
export interface Running {
  readonly url: string;
  /** Present resident memory in MB. */
  resident(): number;
  /** Processor time of all its threads since its start, in µs. The kernel counts in steps of 10 ms. */
  processorTime(): number;
  /** Runs a full garbage collection and returns the heap in bytes. Only of a Node process. */
  heap(): Promise<number>;
  stop(): Promise<void>;
}

/** A script of this repository as a program. */
export const node = (script: string, ...args: readonly string[]): Program => ({
  command: process.execPath,
  args: ['--expose-gc', '--import', heap, join(root, script), ...args],
});

/** `npm start` as a program, with the options of Node that its script has. */
export const npmStart = (...args: readonly string[]): Program => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...options] = (scripts.start as string).split(' ').slice(0, -1);
  const { command, args: all } = node('local/start.mjs', ...args);
  return { command, args: [...options, ...all] };
};

/** µs of one clock tick in /proc. Source: proc_pid_stat(5), sysconf(3). */
const TICK = 10_000;

/** `utime` and `stime` of a process. The name in parentheses can contain spaces. Source: proc_pid_stat(5). */
export function processorTime(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** The servers that still run, with the function that ends each of them. */
const running = new Set<() => void>();
process.once('exit', () => {
  for (const end of running) end();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Starts a program that prints `Listening on URL`. */
export async function started({ command, args, environment = {} }: Program): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-bench-'));
  const data = join(directory, 'data');
  const child: ChildProcess = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: data, ENGINE_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', command === process.execPath ? 'ipc' : 'ignore'],
  });
  const end = () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  running.add(end);
  const pid = child.pid as number;
  const url = await new Promise<string>((done, failed) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /Listening on (\S+)/.exec(text)?.[1];
      if (found) done(found);
    });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`${command} ended with ${code}: ${text}`)));
  });
  return {
    url,
    resident: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    processorTime: () => processorTime(pid),
    heap: () =>
      new Promise((done) => {
        child.once('message', (bytes) => done(bytes as number));
        child.send('heap');
      }),
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => {
          running.delete(end);
          rmSync(directory, { recursive: true, force: true });
          done();
        });
        child.kill('SIGTERM');
      }),
  };
}
