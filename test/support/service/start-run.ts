import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the directory that all test files of a run share, before the first test. */
export default function startRun(): void {
  process.env.TEST_RUN = mkdtempSync(join(tmpdir(), 'tests-'));
}
