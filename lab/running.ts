/** Starts a program and waits until it responds to HTTP. */

import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '../tools/user-error.ts';

/** Time limits in ms for a server to respond after its start, and to end. */
const START_MS = 60_000;
const END_MS = 5000;
const LOOK_MS = 100;
/** Stored characters of the output of a server. */
const REMEMBERED = 10_000;

/** A server to start. */
export interface Server {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** True if signals of the keyboard do not reach it, because another program must end first. */
  readonly isApart?: boolean;
  /** The address at which it responds, and whether a response with this status shows that it is ready. */
  readonly url: string;
  readonly isReady?: (status: number) => boolean;
}

/** A running server. */
export interface RunningServer {
  stop(): Promise<void>;
}

/** Starts a server and waits until it responds. @throws UserError with its output if it ends or does not respond */
export async function running(server: Server): Promise<RunningServer & { readonly child: ChildProcess }> {
  const { name, command, args, cwd, env = process.env, isApart = false } = server;
  const child = spawn(command, args, { cwd, env, detached: isApart, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output = `${output}${chunk}`.slice(-REMEMBERED)));
  const closed = new Promise<string>((ended) => {
    child.once('error', ({ message }) => ended(message));
    child.once('close', (code, signal) => ended(`it ended with ${code ?? signal}`));
  });
  const last = Date.now() + START_MS;
  for (;;) {
    const because = await Promise.race([closed, answers(server)]);
    if (because === true) return { child, stop: () => stopped(child, closed) };
    if (because === false && Date.now() < last) continue;
    await stopped(child, closed);
    throw new UserError(`${name} did not start: ${because || `no response in ${START_MS} ms`}\n${output}`);
  }
}

async function answers({ url, isReady = () => true }: Server): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await response.text();
    if (isReady(response.status)) return true;
  } catch {
    // It does not listen yet.
  }
  await pause(LOOK_MS);
  return false;
}

async function stopped(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await closed;
  clearTimeout(timer);
}
