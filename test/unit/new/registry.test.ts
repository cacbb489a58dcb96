import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { registry } from '../../../functions/registry.ts';
import { listedIn, withoutResources, withResource } from '../../../tools/new/registry.ts';

const text = readFileSync(join(import.meta.dirname, '../../../functions/registry.ts'), 'utf8');
const names = registry.map(({ name }) => name);

test('the text of the registry names the resources in their order', () => {
  expect(listedIn(text)).toEqual(names);
});

test('a new resource is listed in front of the files, and its import is in its place', () => {
  const added = withResource(text, 'zebras');
  expect(listedIn(added)).toEqual(names.flatMap((name) => (name === 'files' ? ['zebras', name] : [name])));
  const imported = [...added.matchAll(/^import \{ (\w+) \}/gm)].map(([, name]) => name);
  expect(imported).toEqual([...names, 'zebras'].sort());
});

test('the removal of a resource undoes its addition', () => {
  expect(withoutResources(withResource(text, 'zebras'), ['zebras'])).toBe(text);
});
