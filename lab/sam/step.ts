import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Obstacle } from '../../tools/obstacle.ts';
import { ROOT } from './command.ts';

/** Runs a slow program. @throws Obstacle with the end of its output if it fails */
export async function step(
  what: string,
  program: string,
  args: readonly string[],
  cwd: string = ROOT,
): Promise<void> {
  console.log(`${what} …`);
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) return;
  const last = (await said).join('').trim().split('\n').slice(-20).join('\n');
  throw new Obstacle(`${program} failed (${status}):\n${last}`);
}
