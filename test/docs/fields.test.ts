import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { customerFacts } from '../../functions/customers/fields.ts';
import * as computing from '../../shared/resource/description/computed.ts';
import { describe } from '../../shared/resource/description/description.ts';
import * as fields from '../../shared/resource/description/fields.ts';
import { reference } from '../../shared/resource/description/references.ts';
import { wrongFields } from '../../shared/resource/wrong-facts/fields.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/fields.md'), 'utf8');
const [, kinds = '', facts = '', , ofResource = ''] = page.split('\n## ');
const cellsOf = (section: string) => [...section.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell);

const makers = { ...fields, reference, computed: computing.computed };

/** The facts that the types of fields declare. */
const declared = ['description', 'field-facts'].flatMap((name) => {
  const source = readFileSync(join(ROOT, 'shared/resource/description', `${name}.ts`), 'utf8');
  const types = source.matchAll(
    /^(?:export )?interface (?:Common|Stored|Plain|Reference|\w+Field)\b[^{]*\{\n([\s\S]*?)^\}/gm,
  );
  return [...types].flatMap(([, type = '']) =>
    [...type.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, fact]) => fact),
  );
});

const shown = cellsOf(kinds).map((cell) => cell.slice(1, -1));

test.each(shown)('%s is a field', (code) => {
  const known = { ...makers, customerFacts };
  const field = new Function(...Object.keys(known), `return ${code}`)(...Object.values(known));
  expect(wrongFields(describe({ singular: 'sample', fields: { value: field } }))).toEqual([]);
  expect(Object.keys(field).filter((fact) => !declared.includes(fact))).toEqual([]);
});

test('the page shows each kind of field', () => {
  const named = new Set(shown.map((code) => /^\w+/.exec(code)?.[0]));
  expect(Object.keys(makers).filter((name) => !named.has(name))).toEqual([]);
});

test('each fact of the page is a fact of a field', () => {
  const named = cellsOf(facts).flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, fact]) => fact));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((fact) => !declared.includes(fact))).toEqual([]);
});

test('the page lists the facts of a resource, and no others', () => {
  const known = ['facts', 'resource'].flatMap((name) => {
    const source = readFileSync(join(ROOT, 'shared/resource', `${name}.ts`), 'utf8');
    const [, definition = ''] = /^export interface Resource[^{]*\{\n([\s\S]*?)^\}/m.exec(source) ?? [];
    return [...definition.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, fact]) => fact);
  });
  const listed = cellsOf(ofResource).flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, fact]) => fact));
  expect([...new Set(listed)].sort()).toEqual([...new Set(known)].sort());
});
