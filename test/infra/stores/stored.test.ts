import { describe, expect, test } from '@jest/globals';
import { RELEASED, type Stored, tableToDeploy } from '../../../infra/stored.ts';
import { registry } from '../../../service/registry.ts';
import { describe as described, type Fields } from '../../../shared/resource/description/description.ts';
import { integer, text } from '../../../shared/resource/description/fields.ts';
import { type Resource, resource } from '../../../shared/resource/resource.ts';
import { faultsOf, stepsOf } from '../../../tools/check/stored-changes.ts';
import { releasedStored } from '../../../tools/generate/stored.ts';

const FIELDS = { name: text('Name'), age: integer('Age'), ownerId: integer('Owner', { isId: true }) };
const AGE = { before: 2, read: () => 'old' };

/** A resource whose items are also listed by their owner. */
const pets = (sortable: string[], fields: Fields = FIELDS, version = 1): Resource =>
  resource({
    name: 'pets',
    title: 'Pets',
    about: 'Pets',
    description: described({ singular: 'pet', version, fields }),
    sortable,
    table: { partitions: ['ownerId'] },
    routes: () => [],
  });

const storedOf = (one: Resource): Stored => releasedStored([one], {}).pets as Stored;
const deployed = storedOf(pets(['name']));
const indexesOf = (one: Resource, indexes: readonly string[]) =>
  tableToDeploy(one, { pets: { indexes } }).indexes.map(({ name }) => name);

test('the definitions can read what docs/stored.released.json names, and it names their tables', () => {
  expect(registry.flatMap((one) => faultsOf(one, RELEASED[one.name]))).toEqual([]);
  const tables = Object.keys(releasedStored(registry, RELEASED));
  expect(Object.keys(RELEASED).filter((name) => !tables.includes(name))).toEqual([]);
});

describe('a deployment', () => {
  const { indexes } = deployed;

  test('creates all indexes of a new table', () => {
    expect(tableToDeploy(pets(['name']), {}).indexes.map(({ name }) => name)).toEqual(indexes);
    expect(indexes).toEqual(['by_id', 'by_name', 'ownerId_by_id', 'ownerId_by_name']);
  });

  test('adds the indexes of a new order one after the other', () => {
    const wanted = pets(['name', 'age']);
    const first = indexesOf(wanted, indexes);
    expect(first).toEqual([...indexes, 'by_age']);
    const second = indexesOf(wanted, first);
    expect(new Set(second)).toEqual(new Set([...indexes, 'by_age', 'ownerId_by_age']));
    expect(indexesOf(wanted, second)).toHaveLength(6);
  });

  test('leaves the indexes of a removed order, until the file does not name them any more', () => {
    expect(new Set(indexesOf(pets([]), indexes))).toEqual(new Set(indexes));
    const [, , ...others] = tableToDeploy(pets([]), { pets: { indexes } }).indexes;
    expect(others.map(({ partition, sort }) => [partition, sort])).toEqual([
      ['_shard', { name: '_by_name', type: 'B' }],
      ['ownerId', { name: '_by_name', type: 'B' }],
    ]);
    expect(indexesOf(pets([]), ['by_id', 'ownerId_by_id'])).toEqual(['by_id', 'ownerId_by_id']);
  });

  test('leaves the index of a renamed property', () => {
    const renamed = { ...FIELDS, title: text('Title', { was: 'name' }) };
    const { name: _, ...fields } = renamed;
    expect(indexesOf(pets(['title'], fields), indexes)).toEqual(indexes);
  });

  test('is refused if two fields become sortable', () => {
    expect(() => indexesOf(pets(['name', 'age', 'ownerId']), indexes)).toThrow(
      /A deployment can add one index to the table of pets, and age, ownerId need one each: make age sortable/,
    );
  });
});

test.each<[string, Resource, RegExp]>([
  [
    'a field is gone',
    pets([], { age: integer('Age') }),
    /pets stores name, and no field has this attribute: say `was/,
  ],
  [
    'a field has another type',
    pets([], { ...FIELDS, age: text('Age') }),
    /pets\.age is stored as integer, and declared as text/,
  ],
  [
    'the version stays',
    pets([], { ...FIELDS, age: text('Age', { earlier: AGE }) }),
    /pets\.age has an earlier form before version 2: increase `version`/,
  ],
])('the check of stored items fails if %s', (_, changed, sentence) => {
  expect(faultsOf(changed, deployed).join()).toMatch(sentence);
});

test('the check fails if tables have items of a later version', () => {
  expect(faultsOf(pets([]), { ...deployed, schema: 2 })).toEqual([
    'pets has items of version 2: its description cannot have version 1',
  ]);
});

test.each<[string, Resource]>([
  [
    'a new name',
    pets(['name'], { title: text('Title', { was: 'name' }), age: FIELDS.age, ownerId: FIELDS.ownerId }),
  ],
  ['a new type with its earlier form', pets(['name'], { ...FIELDS, age: text('Age', { earlier: AGE }) }, 2)],
  ['a new field', pets(['name'], { ...FIELDS, color: text('Color') })],
])('the check of stored items accepts %s', (_, changed) => {
  expect(faultsOf(changed, deployed)).toEqual([]);
});

test('the check names each step of a new order', () => {
  const wanted = pets(['name', 'age']);
  const starts = (stored: Stored) => stepsOf(wanted, stored).map((step) => step.replace(/\..*/, ''));
  expect(starts(deployed)).toEqual(['pets: write keys', 'pets: write keys', 'pets: backfill and serve']);
  const { indexes } = storedOf(wanted);
  expect(starts({ ...deployed, indexes })).toEqual(['pets: backfill and serve']);
  expect(starts({ ...deployed, indexes, sortable: ['name', 'age'] })).toEqual([]);
  expect(stepsOf(pets([]), { ...deployed, indexes: ['by_id', 'ownerId_by_id', 'by_name'] })).toEqual([
    'pets: drop. Deploy, then remove by_name from `indexes` of docs/stored.released.json and deploy again',
  ]);
});

test('the check names the backfill of values that become unique', () => {
  const unique = pets(['name'], { ...FIELDS, name: text('Name', { unique: true }) });
  expect(stepsOf(unique, deployed)).toEqual([
    expect.stringMatching(/^pets: backfill\. .* Then add name to `unique`/),
  ]);
  expect(stepsOf(unique, { ...deployed, unique: ['name'] })).toEqual([]);
  // A new table has no item without its row.
  expect(stepsOf(unique, storedOf(unique))).toEqual([]);
  const without = releasedStored([pets(['name'])], { pets: storedOf(unique) }).pets;
  expect(stepsOf(unique, without)).toHaveLength(1);
});

test('the check names each step of a new type', () => {
  const changed = pets(['name'], { ...FIELDS, age: text('Age', { earlier: AGE }) }, 2);
  expect(stepsOf(changed, deployed)).toEqual([
    expect.stringMatching(/^pets: backfill\. .*set `schema`.* to 2$/),
  ]);
  expect(stepsOf(changed, { ...deployed, schema: 2 })).toEqual([
    'pets: all items have the new form of age, so its `earlier` can go',
  ]);
});

test('a release adds new fields, and leaves to the operators what a deployment and a backfill change', () => {
  const changed = pets(
    ['name', 'age'],
    { ...FIELDS, age: text('Age', { earlier: AGE }), color: text('Color') },
    2,
  );
  expect(releasedStored([changed], { pets: deployed }).pets).toEqual({
    ...deployed,
    fields: { ...deployed.fields, color: 'text' },
  });
  expect(releasedStored([changed], { pets: { ...deployed, schema: 2 } }).pets?.fields.age).toBe('text');
});
