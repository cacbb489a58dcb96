import { rmSync } from 'node:fs';
import { endShared } from './start-run.ts';

/** Ends the processes of the run and removes its directory after the last test. */
export default async function endRun(): Promise<void> {
  await endShared();
  rmSync(process.env.TEST_RUN as string, { recursive: true, force: true });
}
