import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The process that synthesizes templates for the tests of the run. */
export let synthesis: ChildProcess;

/** Creates the directory that all test files of a run share, and starts the process that synthesizes for them. */
export default async function startRun(): Promise<void> {
  process.env.TEST_RUN = mkdtempSync(join(tmpdir(), 'tests-'));
  const program = join(import.meta.dirname, '../../infra/synthesis-process.ts');
  synthesis = spawn(process.execPath, ['--max-semi-space-size=64', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await Promise.race([
    once(synthesis.stdout as NodeJS.ReadableStream, 'data'),
    once(synthesis, 'close'),
  ]);
  process.env.SYNTHESIS = `http://127.0.0.1:${String(port).trim()}`;
}
