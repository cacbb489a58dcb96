import { type SpawnOptions, spawn } from 'node:child_process';

/** The end of a program and its output: stdout alone, and everything in its order. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly log: string;
}

/** A program that hangs. A linter of the API description takes a minute, and several on a busy machine. */
const LIMIT_MS = 5 * 60_000;

/** Runs a program to its end, or stops it after `limitMs`. */
export async function command(
  program: string,
  args: readonly string[],
  { input, limitMs = LIMIT_MS, ...options }: SpawnOptions & { input?: Buffer; limitMs?: number } = {},
): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  const [stdout, all]: [Buffer[], Buffer[]] = [[], []];
  const timer = setTimeout(() => {
    all.push(Buffer.from(`\nIt did not end in ${limitMs} ms`));
    child.kill('SIGKILL');
  }, limitMs);
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    all.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
  // A program that does not read its input has closed the pipe. That is not a failure.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  }).finally(() => clearTimeout(timer));
  return { code, stdout: Buffer.concat(stdout), log: Buffer.concat(all).toString('utf8') };
}
