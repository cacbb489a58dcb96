import { rmSync } from 'node:fs';

/** Removes the directory of the run after the last test. */
export default function endRun(): void {
  rmSync(process.env.TEST_RUN as string, { recursive: true, force: true });
}
