import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as language from 'resource-api';
import { customers } from '../../functions/customers.ts';
import { wrongFields } from '../../service/wrong-facts/fields.ts';
import { describe } from '../../shared/resource/description/plan.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/fields.md'), 'utf8');
const [, kinds = '', facts = '', ofResource = ''] = page.split('\n## ');
const cellsOf = (section: string) => [...section.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell);
const namesIn = (section: string) =>
  cellsOf(section).flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, fact = '']) => fact));

/** The facts that the types of these modules declare. */
const declaredIn = (...modules: readonly string[]): string[] =>
  modules.flatMap((name) => {
    const source = readFileSync(join(ROOT, `${name}.ts`), 'utf8');
    const types = source.matchAll(/^(?:export )?interface \w+[^{]*\{\n([\s\S]*?)^\}/gm);
    return [...types].flatMap(([, type = '']) =>
      [...type.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, fact = '']) => fact),
    );
  });

const {
  resource: _resource,
  refuse: _refuse,
  action: _action,
  today: _today,
  every: _every,
  files: _files,
  itemOf: _i,
  listOf: _l,
  view: _view,
  Decimal: _d,
  ...makers
} = language;
const shown = cellsOf(kinds).map((cell) => cell.slice(1, -1));

test.each(shown)('%s is a field', (code) => {
  const known = { ...makers, customers };
  const made = new Function(...Object.keys(known), `return ${code}`)(...Object.values(known));
  expect(wrongFields(describe({ singular: 'sample', fields: { value: made.field('value') } }))).toEqual([]);
});

test('the page shows each kind of field', () => {
  const named = new Set(shown.map((code) => /^\w+/.exec(code)?.[0]));
  expect(Object.keys(makers).filter((name) => !named.has(name))).toEqual([]);
});

test('each fact of the page is a fact of a field', () => {
  const known = declaredIn(
    'api/fields/declared',
    'api/fields/references',
    'shared/resource/description/description',
    'shared/resource/description/field-types',
  );
  const named = [...namesIn(facts), 'link'];
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((fact) => !known.includes(fact))).toEqual([]);
});

test('the page lists the facts of a resource, and no others', () => {
  const source = readFileSync(join(ROOT, 'api/resource-options.ts'), 'utf8');
  const [, definition = ''] = /^export interface ResourceFacts[^{]*\{\n([\s\S]*?)^\}/m.exec(source) ?? [];
  const known = [...definition.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, fact = '']) => fact);
  const listed = namesIn(ofResource).filter((name) => !['itemOf', 'listOf'].includes(name));
  expect([...new Set(listed)].sort()).toEqual([...new Set(known)].sort());
});
