import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleInto, type Changes } from '../../../infra/bundle/bundle.ts';

const here = import.meta.dirname;
/** Directory of all bundles that are made for measurements. */
export const OUT = join(here, '../../../.build/bench');

/** A bundle: its path, and the bytes that a cold start loads. */
export interface Built {
  readonly path: string;
  readonly bytes: number;
}

/** Bundles a module like the service's own functions, except for the given changes. */
export async function build(name: string, entryPoint: string, changes: Changes = {}): Promise<Built> {
  const { directory, bytes } = await bundleInto(join(OUT, name), entryPoint, changes);
  return { path: join(directory, 'index.js'), bytes };
}

/** Runs a script of this folder in a new process. Its last line is JSON. */
export function run<T>(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): T {
  const text = execFileSync(process.execPath, [join(here, script), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as T;
}

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
  environment: Readonly<Record<string, string>> = {},
): readonly Start[] {
  const seen = starts.map(() => ({ load: [] as number[], first: [] as number[], both: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, start] of starts.entries()) {
      const { load, first } = run<{ load: number; first: number }>('cold.mjs', start, environment);
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
