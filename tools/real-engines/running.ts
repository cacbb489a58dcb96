import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Obstacle } from './install.ts';
import type { Program } from './place.ts';

/** How long an engine may take until it answers, and how long to end, in ms. */
const START_MS = 60_000;
const END_MS = 5000;
const LOOK_MS = 100;
/** What is kept of an engine's output, in characters. */
const REMEMBERED = 10_000;

/** An engine that answers. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Starts an engine and waits until it answers HTTP, whatever it answers. It is out of reach of what the keyboard sends to
 * the command: that one ends first.
 * @throws Obstacle when it ends or does not answer
 */
export async function running(name: string, program: Program, port: number): Promise<Running> {
  const child = spawn(program.command, program.args, {
    detached: true,
    env: { ...process.env, ...program.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = `${output}${chunk}`.slice(-REMEMBERED)));
  const closed = new Promise<string>((ended) => {
    child.once('error', ({ message }) => ended(message));
    child.once('close', (code, signal) => ended(`it ended with ${code ?? signal}`));
  });
  const last = Date.now() + START_MS;
  for (;;) {
    const because = await Promise.race([closed, answers(port)]);
    if (because === true) return { stop: () => stopped(child, closed) };
    if (because === false && Date.now() < last) continue;
    await stopped(child, closed);
    throw new Obstacle(`${name} did not start: ${because || `no answer in ${START_MS} ms`}\n${output}`);
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5000) })).text();
    return true;
  } catch {
    await pause(LOOK_MS);
    return false;
  }
}

async function stopped(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await closed;
  clearTimeout(timer);
}
