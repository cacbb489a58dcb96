import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { synthesis } from './start-run.ts';

/** Ends the process of the run and removes its directory after the last test. */
export default async function endRun(): Promise<void> {
  const ended = once(synthesis, 'close');
  synthesis.stdin?.end();
  await ended;
  rmSync(process.env.TEST_RUN as string, { recursive: true, force: true });
}
