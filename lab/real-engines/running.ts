import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Obstacle } from '../../tools/obstacle.ts';
import type { Program } from './place.ts';

/** Time limits in ms for an engine to respond after its start, and to end. */
const START_MS = 60_000;
const END_MS = 5000;
const LOOK_MS = 100;
/** Stored characters of an engine's output. */
const REMEMBERED = 10_000;

/** A running engine. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Starts an engine and waits until it responds to HTTP with any status. Signals of the keyboard do not reach it, so
 * the command ends first.
 * @throws Obstacle if it ends or does not respond
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
    throw new Obstacle(`${name} did not start: ${because || `no response in ${START_MS} ms`}\n${output}`);
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
