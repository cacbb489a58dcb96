import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, clientOf } from '../client/client.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface Starting {
  readonly directory: string;
  readonly args?: readonly string[];
  readonly port?: number;
  /** Port of the engines' own listener. */
  readonly enginePort?: number;
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which the process is killed, at any point of its start. */
  readonly killAfter?: number;
}

/** A service in its own process, or the error of its start. */
export interface Run {
  /** Absent if the process ended before it listened. */
  readonly url?: string;
  readonly pid: number;
  readonly output: () => string;
  /** Settles when the process has ended. */
  readonly ended: Promise<unknown>;
  /** Sends the signal and waits for the end. Returns the exit code, or null if the signal killed the process. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** True if the service uses engines that another process opened. */
const areShared = (): boolean => Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));

/** On shared engines, each directory has its own tables, bucket and queues. These variables name them. */
export function ownIn(directory: string): Record<string, string> {
  if (!areShared()) return {};
  const name = `test${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
  return { STACK_NAME: name, DYNAMODB_ACCESS_KEY_ID: name };
}

/** Starts the service. Settles when it listens or has ended. */
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
      // As in a deployment.
      SHARDS: '4',
      DATA_DIR: directory,
      ...ownIn(directory),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  let output = '';
  const exited = once(child, 'close') as Promise<[number | null]>;
  // A busy machine starts slowly, so only Jest's limit ends the wait.
  const url = await new Promise<string | undefined>((settle) => {
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

/** A new directory for data, and a function that removes it. */
export async function temporary(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'resource-api-'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

export interface Service {
  readonly url: string;
  readonly client: Client;
  stop(): Promise<void>;
}

/** The service under test: the one at BASE_URL, or a new one with new data. */
export async function service(): Promise<Service> {
  const { BASE_URL } = process.env;
  return BASE_URL ? { url: BASE_URL, client: clientOf(BASE_URL), stop: async () => {} } : newService();
}

/**
 * Starts a service with options of `npm start`, more variables and new data, which is in the folder `data` of its folder. Its stop
 * removes the folder. @throws with its output if it does not start
 */
export async function newService(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Service & { readonly folder: string }> {
  const { directory: folder, remove } = await temporary();
  const running = await run({ directory: join(folder, 'data'), args, environment });
  const { url } = running;
  if (url === undefined) {
    await remove();
    throw new Error(`The service did not start:\n${running.output()}`);
  }
  return {
    url,
    client: clientOf(url),
    folder,
    stop: async () => {
      await running.stop();
      await remove();
    },
  };
}
