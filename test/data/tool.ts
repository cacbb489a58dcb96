import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownIn } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The end of a command: its exit code, or null if a signal killed it, and everything that it wrote. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs `npm run data` for the service in a data directory. `killAfter`: milliseconds after which kill -9 ends
 * the process.
 */
export async function data(
  directory: string,
  args: readonly string[],
  {
    killAfter,
    environment = {},
  }: { readonly killAfter?: number; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, ['tools/data/main.ts', ...args], {
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
