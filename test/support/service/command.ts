import { type SpawnOptions, spawn } from 'node:child_process';

/** The end of a program and its output: stdout alone, and everything in its order. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly log: string;
}

/** Runs a program to its end, or stops it after `limitMs`. */
export async function command(
  program: string,
  args: readonly string[],
  { input, limitMs = 120_000, ...options }: SpawnOptions & { input?: Buffer; limitMs?: number } = {},
): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [stdout, all]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    all.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
  // A program that does not read its input has closed the pipe. That is no failure.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  clearTimeout(timer);
  return { code, stdout: Buffer.concat(stdout), log: Buffer.concat(all).toString('utf8') };
}
