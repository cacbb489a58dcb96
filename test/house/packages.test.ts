import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { lockFaults } from '../../tools/check/lock-faults.ts';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8'));

const { dependencies, devDependencies } = read('package.json') as Readonly<
  Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
>;

/** The packages of one release of the SDK have its number. Other packages of AWS count for themselves. */
const RELEASED = /^@aws-sdk\/(?:client-|s3-request-presigner$)/;

test('all clients of AWS are of one release', () => {
  const clients = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
    RELEASED.test(name),
  );
  const release = dependencies['@aws-sdk/client-dynamodb'];
  expect(clients).toEqual(clients.map(([name]) => [name, release]));
  expect(clients.length).toBeGreaterThan(2);
});

test('npm installs each package of the SDK once, so the clients share their modules', () => {
  const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, unknown>> };
  const folders = Object.keys(packages).filter((path) => /node_modules\/@(?:aws-sdk|smithy)\//.test(path));
  expect(folders.filter((path) => path.lastIndexOf('node_modules/') > 0)).toEqual([]);
  expect(folders.length).toBeGreaterThan(20);
});

test('a service gets the command of CDK that this repository has', () => {
  const launcher = readFileSync(join(import.meta.dirname, '../../tools/command/cdk.ts'), 'utf8');
  expect(launcher).toContain(`const VERSION = '${devDependencies['aws-cdk']}';`);
});

const integrity = 'sha512-AA==';

test.each([
  [{ '': {}, 'node_modules/a': { integrity } }, { dependencies: { a: '1.2.3' } }, []],
  [{ 'node_modules/a': { link: true }, 'node_modules/b': { inBundle: true } }, {}, []],
  [
    { 'node_modules/a': { integrity, resolved: 'https://registry.example/a.tgz' } },
    {},
    ['node_modules/a has a download address'],
  ],
  [{ 'node_modules/a': {} }, {}, ['node_modules/a has no integrity']],
  [{ engines: {}, 'node_modules/a': { link: true, resolved: 'engines' } }, {}, []],
  [{ a: { integrity, optionalDependencies: { b: '*' } } }, {}, ['b of a is missing']],
  [{ a: { integrity, optionalDependencies: { b: '*' } }, 'node_modules/b': { integrity } }, {}, []],
  [{ a: { integrity, optionalDependencies: { b: '*' } }, 'a/node_modules/b': { integrity } }, {}, []],
  [{ '': { optionalDependencies: { b: '*' } }, 'node_modules/b': { integrity } }, {}, []],
  [{}, { devDependencies: { a: '^1.2.3' } }, ['a is not pinned: ^1.2.3']],
  [{}, { overrides: { a: '1.2.3-beta' } }, ['a is not pinned: 1.2.3-beta']],
])('the faults of the lock file %j of %j are %j', (packages, manifest, faults) => {
  expect(lockFaults({ packages }, manifest)).toEqual(faults);
});
