import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { removeMergedExamples } from '../../../tools/new/blank.ts';
import { git, mergedPaths, mergeIn } from '../../../tools/new/merge.ts';
import { temporary } from '../../support/service/service.ts';

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const REGISTRY = 'export const registry: readonly Resource[] = [suppliers, files];\n';

let root: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ directory: root, remove } = await temporary());
});
afterEach(() => remove());

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(): void {
  git(root, 'add', '-A');
  git(root, ...IDENTITY, 'commit', '-qm', 'A change');
}

/** Merges without a commit. git fails if the merge has conflicts. */
function merge(branch: string): void {
  spawnSync('git', [...IDENTITY, 'merge', '-q', '--no-commit', branch], { cwd: root });
}

test('the paths of a merge are those that it adds, changes, or cannot merge', () => {
  const status = [
    'A  new.ts',
    'M  changed.ts',
    'UU both.ts',
    'DU deleted.ts',
    'D  gone.ts',
    '?? own.ts',
    ' M my.ts',
  ];
  expect(mergedPaths(`${status.join('\0')}\0`)).toEqual(['new.ts', 'changed.ts', 'both.ts', 'deleted.ts']);
});

const there = spawnSync('git', ['--version']).status === 0;

(there ? test : test.skip)('a merge into a service without examples loses what it brings of them', () => {
  git(root, 'init', '-q', '-b', 'main');
  write('functions/registry.ts', REGISTRY);
  write('functions/orders/fields.ts', '1');
  write('test/orders.test.ts', "get('/orders')");
  write('test/kept.test.ts', "get('/files')");
  commit();
  git(root, 'checkout', '-q', '-b', 'upstream');
  write('functions/orders/fields.ts', '2');
  write('functions/orders/new.ts', '');
  write('test/new.test.ts', "get('/orders')");
  write('test/files.test.ts', "get('/files')");
  commit();
  git(root, 'checkout', '-q', 'main');
  rmSync(join(root, 'functions/orders'), { recursive: true });
  rmSync(join(root, 'test/orders.test.ts'));
  write('test/own.test.ts', "const orders = 'orders'");
  commit();
  merge('upstream');

  const waiting = mergeIn(root);
  expect(waiting?.registry).toBe(REGISTRY);
  const removed = removeMergedExamples(root, REGISTRY, waiting?.paths ?? []);
  expect(removed.sort()).toEqual([
    'functions/orders/fields.ts',
    'functions/orders/new.ts',
    'test/new.test.ts',
  ]);
  const left = ['test/own.test.ts', 'test/kept.test.ts', 'test/files.test.ts', 'test/new.test.ts'];
  expect(left.map((path) => existsSync(join(root, path)))).toEqual([true, true, true, false]);
});

(there ? test : test.skip)(
  'a merge without a registry is an error, and not a service without examples',
  () => {
    git(root, 'init', '-q', '-b', 'main');
    write('functions/list.ts', REGISTRY);
    commit();
    git(root, 'checkout', '-q', '-b', 'upstream');
    write('functions/list.ts', `${REGISTRY}\n`);
    commit();
    git(root, 'checkout', '-q', 'main');
    write('functions/other.ts', '');
    commit();
    merge('upstream');

    expect(() => mergeIn(root)).toThrow(/git show failed: .*registry/);
  },
);

test('without a merge, nothing waits for its commit', () => {
  expect(mergeIn(root)).toBeUndefined();
});
