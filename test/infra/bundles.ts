import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from '../../infra/bundle/bundle.ts';
import { registry } from '../../service/registry.ts';
import { changesFunction } from '../../shared/events/changes.ts';
import { BACKGROUND } from '../house/background.ts';

/** The names of all functions. */
export const ALL: readonly string[] = [
  ...registry.map(({ name }) => name),
  ...registry.filter(({ onChange }) => onChange).map(changesFunction),
  ...BACKGROUND,
];

/**
 * The bundles of functions by name. Each run of jest makes them once: all test files share the directories, so no test
 * changes them. If two processes need a bundle at the same time, both make it, and later test files find the last one.
 */
export async function bundlesOf(names: readonly string[] = ALL): Promise<ReadonlyMap<string, Bundle>> {
  const run = process.env.TEST_RUN;
  if (run === undefined) throw new Error('TEST_RUN is missing: start the test by npm test');
  const pathOf = (name: string) => join(run, `bundle-of-${name}.json`);
  const missing = names.filter((name) => !existsSync(pathOf(name)));
  if (missing.length > 0) {
    const directory = join(run, randomUUID());
    for (const [at, bundle] of (await made(directory, missing)).entries()) {
      const temporary = `${directory}.json`;
      writeFileSync(temporary, JSON.stringify(bundle));
      renameSync(temporary, pathOf(missing[at] as string));
    }
  }
  return new Map(names.map((name) => [name, JSON.parse(readFileSync(pathOf(name), 'utf8')) as Bundle]));
}

/** The bundle of one function. */
export const bundleOf = async (name: string): Promise<Bundle> =>
  (await bundlesOf([name])).get(name) as Bundle;

/** rolldown does not recognize the objects of jest's realm, so another process runs it. */
async function made(directory: string, names: readonly string[]): Promise<readonly Bundle[]> {
  const script = join(import.meta.dirname, '../../infra/bundle/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, directory, ...names], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Bundle[];
}
