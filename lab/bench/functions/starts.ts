import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, 'cold.mjs');

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Medians in ms: the import of the bundle, the first call, and both. */
export interface Start {
  readonly load: number;
  readonly first: number;
  readonly both: number;
}

/** Cold starts of several bundles in new processes. They alternate, so that a slow minute affects all. */
export function coldStarts(
  starts: readonly (readonly string[])[],
  rounds: number,
  environment: Readonly<Record<string, string>>,
): readonly Start[] {
  const seen = starts.map(() => ({ load: [] as number[], first: [] as number[], both: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, start] of starts.entries()) {
      const env = { ...process.env, ...environment };
      const { load, first } = JSON.parse(
        execFileSync(process.execPath, [SCRIPT, ...start], { encoding: 'utf8', env }),
      );
      seen[at]?.load.push(load);
      seen[at]?.first.push(first);
      seen[at]?.both.push(load + first);
    }
  }
  return seen.map(({ load, first, both }) => ({
    load: median(load),
    first: median(first),
    both: median(both),
  }));
}
