import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A running server in a separate process, with its own folder. */
export interface Running {
  readonly url: string;
  /** Present resident memory in MB. */
  resident(): number;
  /** Runs a full garbage collection and returns the heap in bytes. Only with `inspectable`. */
  heap(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a script that prints `Listening on URL`. */
export async function started(script: string, args: readonly string[] = []): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-bench-'));
  const child: ChildProcess = spawn(
    process.execPath,
    ['--expose-gc', '--import', join(root, 'tools/bench/parts/heap.mjs'), join(root, script), ...args],
    {
      cwd: root,
      env: { ...process.env, PORT: '0', DATA_DIR: join(directory, 'data'), ENGINE_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const url = await new Promise<string>((done, failed) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /Listening on (\S+)/.exec(text)?.[1];
      if (found) done(found);
    });
    child.once('exit', (code) => failed(new Error(`${script} ended with ${code}: ${text}`)));
  });
  return {
    url,
    resident: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    heap: () =>
      new Promise((done) => {
        child.once('message', (bytes) => done(bytes as number));
        child.send('heap');
      }),
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => {
          rmSync(directory, { recursive: true, force: true });
          done();
        });
        child.kill('SIGTERM');
      }),
  };
}
