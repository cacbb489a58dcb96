import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answer, Client } from '../support/client/client.ts';
import { ownIn } from '../support/service/service.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The end of a command: its exit code, or null if a signal killed it, and everything that it wrote. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** `killAfter`: milliseconds after which kill -9 ends the process. */
interface Circumstances {
  readonly killAfter?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

type Tool = (directory: string, args: readonly string[], how?: Circumstances) => Promise<Outcome>;

/** Runs `npm run data` for the service in a data directory. */
export const data: Tool = (...how) => program('tools/data/main.ts', ...how);

/** Runs `npm run backfill` for the service in a data directory. */
export const backfill: Tool = (...how) => program('tools/backfill/main.ts', ...how);

async function program(
  file: string,
  directory: string,
  args: readonly string[],
  { killAfter, environment = {} }: Circumstances = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: directory, ...ownIn(directory), NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** The operation whose path is in the output of a backfill, after its end. */
export async function endOf(output: string, client: Client): Promise<Answer> {
  const [path = ''] = /\/operations\/\d+/.exec(output) ?? [];
  // The worker writes the record when it receives the message.
  for (let looks = 0; looks < 200; looks += 1) {
    const answer = await client('GET', path, { headers: { Prefer: 'wait=10' } });
    if (answer.status !== 404) return answer;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error(`No operation began: ${output}`);
}
