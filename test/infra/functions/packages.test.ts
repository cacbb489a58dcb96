import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { registry } from '../../../functions/registry.ts';
import { ON_DEMAND, OPTIONS } from '../../../infra/bundle/bundle.ts';
import { BACKGROUND } from '../../house/background.ts';

const ROOT = join(import.meta.dirname, '../../..');

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
};

const HANDLERS = [...registry.map(({ name }) => name), ...BACKGROUND].map(
  (name) => `functions/${name}/handler.ts`,
);

/** The folders of the packages that esbuild reads for all functions and their on-demand modules. */
function packagesInBundles(): string[] {
  const onDemand = Object.keys(ON_DEMAND).map((name) => `import ${JSON.stringify(name)};`);
  const handlers = HANDLERS.map((path) => `import ${JSON.stringify(`./${path}`)};`);
  const { metafile } = buildSync({
    ...OPTIONS,
    stdin: { contents: [...handlers, ...onDemand].join('\n'), resolveDir: ROOT },
    outfile: 'index.js',
    metafile: true,
    write: false,
  });
  const folders = Object.keys(metafile.inputs).map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

test('functions contain only packages of `dependencies` and what these depend on', () => {
  const found = packagesInBundles();
  // The lock file marks a package with `dev` if no package of `dependencies` leads to it.
  const foreign = found.filter((folder) => {
    const entry = packages[folder];
    return !entry || entry.dev || entry.devOptional;
  });
  expect(foreign).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(['node_modules/@middy/core', 'node_modules/saxes']));
});
