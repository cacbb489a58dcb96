import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/** The reason to skip tests that run programs: `needs jq`; undefined if the machine has each program. */
export function missing(...programs: readonly string[]): string | undefined {
  const absent = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  return absent.length === 0 ? undefined : `needs ${absent.join(' ')}`;
}

/** Describes tests. With a reason not to run them, Jest skips them, and the last lines of the run have the reason. */
export function describeUnless(reason: string | undefined, title: string, tests: () => void): void {
  if (reason === undefined) describe(title, tests);
  else describe.skip(`${title} [skipped: ${reason}]`, tests);
}
