import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Bundle } from '../../../infra/bundle/bundle.ts';
import { bundlesOf } from '../bundles.ts';

const ROOT = join(import.meta.dirname, '../../..');

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
};

const bundles = await bundlesOf();

const modulesOf = ({ chunks }: Bundle) => chunks.flatMap(({ modules }) => modules);

/** The folder of the package that a module belongs to; undefined for modules of this project. */
const folderOf = (module: string) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];

/** The folders of the packages of a bundle. */
const foldersOf = (bundle: Bundle) => [
  ...new Set(modulesOf(bundle).flatMap((module) => folderOf(module) ?? [])),
];

const repeated = (all: readonly string[]) => all.filter((one, at) => all.indexOf(one) !== at);

test('functions contain only packages of `dependencies` and what these depend on', () => {
  const found = [...new Set([...bundles.values()].flatMap(foldersOf))];
  // The lock file marks a package with `dev` if no package of `dependencies` leads to it.
  const foreign = found.filter((folder) => {
    const entry = packages[folder];
    return !entry || entry.dev || entry.devOptional;
  });
  expect(foreign).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(['node_modules/@middy/core', 'node_modules/saxes']));
});

describe.each([...bundles])('the bundle of %s', (_name, bundle) => {
  test('contains each module once', () => {
    expect(modulesOf(bundle).length).toBeGreaterThan(0);
    expect(repeated(modulesOf(bundle))).toEqual([]);
  });

  test('contains each package once, and in one form', () => {
    const folders = foldersOf(bundle);
    expect(repeated(folders.map((folder) => folder.replace(/^.*node_modules\//, '')))).toEqual([]);
    const forms = ['/dist-es/', '/dist-cjs/'].map((form) =>
      folders.filter((folder) => modulesOf(bundle).some((module) => module.startsWith(folder + form))),
    );
    expect(repeated(forms.flat())).toEqual([]);
  });
});

/** A text of each class that code compares with `instanceof`, and that index.js and other files use. */
const TEXTS: Readonly<Record<string, string>> = {
  Decimal: 'has digits beyond',
  Unavailable: 'An engine of this service does not respond',
  UnreadableItem: 'does not understand the stored form of an item`',
};

test.each(Object.entries(TEXTS))('the files of a function contain %s once', (_class, text) => {
  const counts = [...bundles.values()].map(({ directory, chunks }) => {
    const code = chunks.map(({ file }) => readFileSync(join(directory, file), 'utf8')).join('\n');
    return code.split(text).length - 1;
  });
  expect(counts).toContain(1);
  expect(Math.max(...counts)).toBe(1);
});
