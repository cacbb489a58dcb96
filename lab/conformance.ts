/** Runs of test/conformance against a service at an address. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
export const SUITE = 'test/conformance';

/** The arguments of Node that run jest from the project's directory. */
export const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

/** Names of test files by their folder in the suite. */
export type FilesByFolder = Readonly<Record<string, readonly string[]>>;

/** The paths of these files. */
export const pathsOf = (files: FilesByFolder): readonly string[] =>
  Object.entries(files).flatMap(([folder, names]) =>
    names.map((name) => `${SUITE}/${folder}/${name}.test.ts`),
  );

/** Returns the paths of the test files that start services of their own, and test nothing at the address. */
export const withOwnServices = (): readonly string[] =>
  globSync(`${SUITE}/**/*.test.ts`, { cwd: ROOT }).filter(
    (path) => !/underTest(?:Alone)?\(\)/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
