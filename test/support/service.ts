import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, clientOf } from './client.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_MS = 30_000;

export interface Starting {
  readonly directory: string;
  readonly args?: readonly string[];
  readonly port?: number;
  /** Port of the engines' own listener. */
  readonly enginePort?: number;
  /** What it finds in its environment besides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is killed, however far its start has come. */
  readonly killAfter?: number;
}

/** A service in a process of its own, or how it failed to start. */
export interface Run {
  /** Absent when the process ended before it listened. */
  readonly url?: string;
  readonly pid: number;
  readonly output: () => string;
  /** Settles when the process has ended. */
  readonly ended: Promise<unknown>;
  /** Sends the signal and waits for the end; the exit code, null when the signal killed it. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** Whether the service finds engines that others opened. */
const areShared = (): boolean => Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));

/** On engines that all share, each directory has tables, a bucket and queues of its own. */
function ownIn(directory: string): Record<string, string> {
  const name = `test${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
  return { STACK_NAME: name, DYNAMODB_ACCESS_KEY_ID: name };
}

/** Starts the service; settles when it listens or has ended. */
export async function run({
  directory,
  args = [],
  port = 0,
  enginePort = 0,
  environment = {},
  killAfter,
}: Starting): Promise<Run> {
  const child: ChildProcess = spawn(process.execPath, ['local/start.mjs', ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      ENGINE_PORT: String(enginePort),
      DATA_DIR: directory,
      ...(areShared() && ownIn(directory)),
      NODE_OPTIONS: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  let output = '';
  const exited = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string | undefined>((listening, failed) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      failed(new Error(`The service did not start in ${START_MS} ms:\n${output}`));
    }, START_MS);
    const settle = (value: string | undefined) => {
      clearTimeout(timer);
      listening(value);
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`;
        const [, found] = /^Listening on (http:\/\/\S+)/.exec(line) ?? [];
        if (found) settle(found);
      });
    }
    void exited.then(() => settle(undefined));
  });
  return {
    ...(url === undefined ? {} : { url }),
    pid: child.pid ?? 0,
    output: () => output,
    ended: exited,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** A new directory for data, and how to remove it. */
export async function temporary(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'resource-api-'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

export interface Service {
  readonly url: string;
  readonly client: Client;
  stop(): Promise<void>;
}

/** The service under test: the one at BASE_URL, otherwise one of its own with new data. */
export async function service(): Promise<Service> {
  const { BASE_URL } = process.env;
  if (BASE_URL) return { url: BASE_URL, client: clientOf(BASE_URL), stop: async () => {} };
  const { directory, remove } = await temporary();
  const running = await run({ directory: join(directory, 'data') });
  const { url } = running;
  if (url === undefined) {
    await remove();
    throw new Error(`The service did not start:\n${running.output()}`);
  }
  return {
    url,
    client: clientOf(url),
    stop: async () => {
      await running.stop();
      await remove();
    },
  };
}
