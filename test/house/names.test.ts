import { expect, test } from '@jest/globals';
import { registry } from '../../service/registry.ts';
import { BACKGROUND } from './background.ts';
import { below, isTest, linesWith, sources } from './sources.ts';

const paths = sources.map(({ path }) => path);

/** The modules that the packages export. */
const INDEXES = ['api/index.ts', 'client/index.ts', 'create/index.ts', 'engines/index.ts'];
const ENTRIES = [...INDEXES, 'api/client.ts'];

test('only the entries of the package are barrel files: import the file itself', () => {
  expect(paths.filter((path) => /\/index\.m?[jt]s$/.test(path))).toEqual(INDEXES);
});

/** `export *` and `export {…}`, of another module or of imported names: a declaration exports its name itself. */
const EXPORTED_AGAIN = /^export (?:type )?[*{]/;

test('no module re-exports another one, so a name has one home', () => {
  const again = sources
    .filter((one) => !ENTRIES.includes(one.path) && !isTest(one))
    .flatMap((source) => linesWith(source, EXPORTED_AGAIN));
  expect(again).toEqual([]);
});

test('no file or folder has an empty name such as utils', () => {
  const nothing = /(^|\/)(utils?|helpers?|common|misc|types?|lib|shared\/shared)(\/|\.m?[jt]s$)/;
  expect(paths.filter((path) => nothing.test(path))).toEqual([]);
});

test('shared has folders, and the helper that loads code with the first call', () => {
  expect(paths.filter((path) => /^shared\/[^/]+$/.test(path))).toEqual(['shared/on-demand.ts']);
});

test('every folder of functions has a resource of its own name in the registry, or a handler', () => {
  const folders = [...new Set(below('functions').map(({ path }) => path.split('/')))]
    .filter(({ length }) => length > 2)
    .map(([, folder]) => folder as string);
  const names = [...registry.map(({ name }) => name), ...BACKGROUND];
  expect([...new Set(folders)].filter((folder) => !names.includes(folder))).toEqual([]);
  expect(paths.filter((path) => /^functions\/[^/]+\/handler\.ts$/.test(path))).toEqual(
    BACKGROUND.map((name) => `functions/${name}/handler.ts`).sort(),
  );
});
