import { expect, describe as group, test } from '@jest/globals';
import {
  array as arrayOf,
  resource as define,
  binary as ofBytes,
  process,
  text as textOf,
  view,
} from '../../../../api/index.ts';
import { registry } from '../../../../service/registry.ts';
import { compileValidator } from '../../../../service/validation/compile.ts';
import { wrongFields } from '../../../../service/wrong-facts/fields.ts';
import { wrongFacts } from '../../../../service/wrong-facts/resources.ts';
import { missing } from '../../../../shared/resource/actions/outcome.ts';
import type { Description, Fields } from '../../../../shared/resource/description/description.ts';
import {
  array,
  binary,
  date,
  integer,
  money,
  object,
  text,
} from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { reference } from '../../../../shared/resource/description/references.ts';
import { findFaults } from '../../../../shared/resource/description/validate.ts';
import { type Resource, resource } from '../../../../shared/resource/resource.ts';
import type { Route } from '../../../../shared/resource/route.ts';
import { relatedItem } from '../../../../shared/resource/styles/nested.ts';

const described = (fields: Fields, facts: Partial<Description> = {}): Description => ({
  ...describe({ singular: 'supplier', fields }),
  ...facts,
});

const SECRET = text('Secret', { readableBy: 'secrets:read' });

const route = (path: string): Route => ({ path, endpoints: {} });

/** A right definition of suppliers, with other facts in place of some. */
const suppliers = (facts: Partial<Resource>): Resource => ({
  ...resource({
    name: 'suppliers',
    title: 'Suppliers',
    about: 'Companies.',
    description: describe({
      singular: 'supplier',
      fields: { name: text('Name'), rating: integer('Rating'), logo: binary('Logo', { accepts: 'image/*' }) },
    }),
    routes: () => [route('/suppliers'), route('/suppliers/{id}')],
  }),
  ...facts,
});

test('no definition of the service is wrong', () => expect(wrongFacts(registry)).toEqual([]));

group('a wrong fact of a field', () => {
  const rows: readonly (readonly [string, Description, string])[] = [
    [
      'a singular with a space',
      described({}, { singular: 'sup plier' }),
      "the singular 'sup plier' is not an XML name",
    ],
    [
      'a field named id',
      described({ id: text('Id') }),
      "the field 'id' has the name of a property of every item",
    ],
    [
      'a field named links',
      described({ links: text('L') }),
      "the field 'links' has the name of a property of every",
    ],
    ...['sort', 'order', 'limit', 'offset', 'after', 'fields', 'expand'].map(
      (name): [string, Description, string] => [
        `a field named ${name}`,
        described({ [name]: text('S') }),
        `the field '${name}' has the name of a parameter of every list`,
      ],
    ),
    [
      'a field named constructor',
      described({ constructor: text('C') }),
      "the field 'constructor' has the name of a property of every JavaScript object",
    ],
    [
      'a field named _version',
      described({ _version: text('V') }),
      "the field '_version' begins like an attribute",
    ],
    ['a field with a space', described({ 'a b': text('A') }), "the field 'a b' has no valid name"],
    ['a field with a dot', described({ 'a.b': text('A') }), "the field 'a.b' has no valid name"],
    [
      'a field with a space inside an object',
      described({ address: object('A', { 'zip code': text('Z') }) }),
      "the field 'zip code' has no valid name",
    ],
    [
      'two fields with one attribute',
      described({ name: text('A'), title: text('B', { was: 'name' }) }),
      "'name' and 'title' have the attribute name",
    ],
    [
      'a minimum above the maximum',
      described({ rating: integer('R', { minimum: 9, maximum: 5 }) }),
      "the minimum 9 of 'rating' is above its maximum 5",
    ],
    [
      'a text that must be longer than it may be',
      described({ name: text('N', { minimum: 3, maximum: 2 }) }),
      "the minimum 3 of 'name' is above its maximum 2",
    ],
    [
      'a fraction of a character',
      described({ name: text('N', { minimum: 1.5 }) }),
      "the minimum of 'name' is 1.5: use a whole number, at least 0",
    ],
    [
      'no number as a limit',
      described({ rating: integer('R', { maximum: Number.NaN }) }),
      "the maximum of 'rating' is NaN: use a whole number",
    ],
    [
      'an earlier form of the present version',
      described({ rating: integer('R', { earlier: { before: 2, read: () => 1 } }) }),
      "'rating' has an earlier form before version 2: increase version to it",
    ],
    [
      'a later form of the present version',
      described({ rating: integer('R', { later: { from: 2, read: () => 1 } }) }, { version: 2 }),
      "'rating' has a later form from version 2: use a version above 2",
    ],
    [
      'an amount without values',
      described({ cost: money('C', 1, { minimum: 5, below: 5 }) }),
      "the minimum 5 of 'cost' is not below 5",
    ],
    [
      'a bad pattern',
      described({ code: text('C', { pattern: '[A-' }) }),
      "the pattern [A- of 'code' is not a regular expression",
    ],
    [
      'a value inside an object that never changes',
      described({ address: object('A', { city: text('C', { immutable: true }) }) }),
      "'address.city' has the fact immutable, which has no effect inside a value",
    ],
    [
      'a reference inside an array',
      described({ friends: array('F', reference('suppliers', { label: 'Friend' })) }),
      "'friends.of' is a reference, which only a property of the item itself can be: use integer",
    ],
    [
      'bytes inside an array',
      described({ logos: array('L', binary('Logo', { accepts: 'image/*' })) }),
      "'logos.of' has bytes, which only a property of the item itself can have",
    ],
    [
      'an array with more values than it may have',
      described({ tags: array('T', text('Tag'), { minimum: 3, maximum: 2 }) }),
      "the minimum 3 of 'tags' is above its maximum 2",
    ],
    ['no choices', described({ size: text('S', { choices: [] }) }), "the choices of 'size' are empty"],
    [
      'a repeated choice',
      described({ size: text('S', { choices: ['a', 'a'] }) }),
      "the choices of 'size' contain a value twice",
    ],
    [
      'a retired value without choices',
      described({ size: text('S', { retired: ['a'] }) }),
      "'size' has retired values and no choices",
    ],
    [
      'a retired choice',
      described({ size: text('S', { choices: ['a'], retired: ['a'] }) }),
      "'a' of 'size' is both a choice and retired",
    ],
    [
      'no currency',
      described({ cost: money('C', 1, { currency: 'Euro' }) }),
      "the currency 'Euro' of 'cost' is not a code",
    ],
    [
      'a default above the maximum',
      described({ rating: integer('R', { maximum: 5, default: 6 }) }),
      "the default 6 of 'rating' must be at most 5",
    ],
    [
      'a default that is not a choice',
      described({ size: text('S', { choices: ['a'], default: 'b' }) }),
      `the default "b" of 'size' must be one of a`,
    ],
    [
      'a default that is not a date',
      described({ due: date('D', { default: 'soon' }) }),
      `the default "soon" of 'due' must be a date`,
    ],
    [
      'a required field of the service',
      described({ state: text('S', { server: true }) }, { required: ['state'] }),
      "the service sets 'state', so it cannot be required",
    ],
    [
      'an earlier form that a write keeps',
      described(
        { of: { ...integer('Of'), keptByPut: true, earlier: { before: 2, read: () => 1 } } },
        { version: 2 },
      ),
      "a write can keep 'of' in the form of another version",
    ],
    [
      'an earlier form that the service alone writes',
      described(
        { of: { ...integer('Of'), server: true, earlier: { before: 2, read: () => 1 } } },
        { version: 2 },
      ),
      "a write can keep 'of' in the form of another version",
    ],
    [
      'a scope of one word',
      described({ salary: integer('S', { readableBy: 'salaries' }) }),
      "readableBy of 'salary' is 'salaries', which is not a scope",
    ],
    [
      'a scope with a space',
      described({ salary: integer('S', { writableBy: 'salaries:write all' }) }),
      "writableBy of 'salary' is 'salaries:write all', which is not a scope",
    ],
    [
      'a scope to set what the service sets',
      described({ state: text('S', { server: true, writableBy: 'states:write' }) }),
      "the service alone sets 'state', so no scope allows it",
    ],
    [
      'a scope of a value inside an object',
      described({ address: object('A', { city: text('C', { readableBy: 'cities:read' }) }) }),
      "'address.city' has the fact readableBy, which has no effect inside a value",
    ],
  ];
  test.each(rows)('%s does not pass', (_what, description, sentence) => {
    const wrong = wrongFields(description);
    const sentences =
      wrong.length > 0
        ? wrong
        : wrongFields(description, (values) => findFaults(compileValidator(description), values));
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain(sentence);
  });
});

group('a wrong fact of a resource', () => {
  const rows: readonly (readonly [string, readonly Resource[], string])[] = [
    [
      'two resources of one name',
      [suppliers({}), suppliers({ routes: [], description: described({}, { singular: 'other' }) })],
      "functions/suppliers.ts: 'suppliers' already has the name 'suppliers'",
    ],
    [
      'two resources with one path',
      [suppliers({}), suppliers({ name: 'people', description: undefined })],
      "functions/people.ts: 'suppliers' already has the path '/suppliers'",
    ],
    [
      'a name that is not part of a path',
      [suppliers({ name: 'Suppliers', routes: [] })],
      "functions/Suppliers.ts: the name 'Suppliers' cannot be a part of a path",
    ],
    [
      'a name that no scope can have',
      [suppliers({ name: 'credit-notes', routes: [] })],
      "functions/credit-notes.ts: the name 'credit-notes' cannot be a part of a path, of a scope",
    ],
    [
      'a path that is not a template',
      [suppliers({ routes: [route('/suppliers/{id')] })],
      "functions/suppliers.ts: the path '/suppliers/{id' is not a template",
    ],
    [
      'an order of bytes',
      [suppliers({ sortable: ['logo'] })],
      "functions/suppliers.ts: sortable names 'logo', whose values have no order",
    ],
    [
      'a filter of bytes',
      [suppliers({ filters: { big: 'logo.gte' } })],
      "functions/suppliers.ts: the filter 'big' compares 'logo', whose values cannot be compared",
    ],
    [
      'a prefix of a number',
      [suppliers({ filters: { begins: 'rating.prefix' } })],
      "the filter 'begins' means 'rating.prefix', and 'rating' has no such comparison: use one of .gte",
    ],
    ['no partition', [suppliers({ table: { shards: 0 } })], 'shards is 0: use a whole number, at least 1'],
    ['half a revision', [suppliers({ revision: 1.5 })], 'revision is 1.5: use a whole number, at least 1'],
    [
      'half a version',
      [suppliers({ description: described({}, { version: 0.5 }) })],
      'version is 0.5: use a whole number, at least 1',
    ],
    [
      'a filter with the name of a parameter',
      [suppliers({ filters: { limit: 'rating.gte' } })],
      "the filter 'limit' has the name of a parameter of every list: rename it",
    ],
    [
      'a filter with the name of a field',
      [suppliers({ filters: { name: 'rating.gte' } })],
      "the filter 'name' has the name of a field",
    ],
    [
      'a table of no resource',
      [suppliers({ uses: [{ table: 'nope', access: 'read' }] })],
      "functions/suppliers.ts: it needs the items of 'nope', which is not a resource",
    ],
    [
      'a wrong field',
      [suppliers({ description: described({ id: text('Id') }) })],
      "functions/suppliers.ts: the field 'id' has the name",
    ],
    [
      'a title that few callers see',
      [suppliers({ description: described({ name: SECRET }, { title: 'name' }) })],
      "functions/suppliers.ts: the title shows 'name' to every caller: remove readableBy of 'name'",
    ],
    [
      'a state that few callers see',
      [
        suppliers({
          description: described({ state: { ...SECRET, server: true } }),
          process: { field: 'state', initial: 'a', transitions: {} },
        }),
      ],
      "the process shows 'state' to every caller",
    ],
    [
      'a partition that few callers see',
      [suppliers({ description: described({ of: SECRET }), table: { partitions: ['of'] } })],
      "a list of its own shows 'of' to every caller",
    ],
    [
      'a partition that few callers set',
      [
        suppliers({
          description: described({ of: text('Of', { writableBy: 'parts:write' }) }),
          table: { partitions: ['of'] },
        }),
      ],
      "a path can set 'of' for every caller, and its removal can clear it: remove its writableBy",
    ],
  ];
  test.each(rows)('%s does not start', (_what, wrong, sentence) => {
    expect(wrongFacts(wrong).join('\n')).toContain(sentence);
  });

  test.each(['idempotency', 'versions'])(
    'a resource with the name of the table %s does not start',
    (name) => {
      expect(wrongFacts([suppliers({ name })]).join()).toContain(`the name '${name}' is the name of a table`);
    },
  );

  test.each(['events', 'uploads'])(
    'a resource with the name of the background function %s does not start',
    (name) => {
      expect(wrongFacts([suppliers({ name })]).join()).toContain(
        `'${name}' is the name of a function of the`,
      );
    },
  );

  test.each([0, -1, 1.5])('versions for %s days do not start', (days) => {
    const [sentence] = wrongFacts([suppliers({ history: { days } })]);
    expect(sentence).toContain(`history keeps versions for ${days} days`);
  });

  test('two resources of one name get one sentence', () => {
    const second = suppliers({ routes: [], description: undefined });
    expect(wrongFacts([suppliers({}), second])).toEqual([
      "functions/suppliers.ts: 'suppliers' already has the name 'suppliers': change one of them.",
    ]);
  });

  test('a sentence about two resources names the file of the author', () => {
    const own = suppliers({ routes: [], description: undefined });
    expect(wrongFacts([own, suppliers({})], new Map([[own, 'functions/own.ts']]))).toEqual([
      "functions/own.ts: 'suppliers' already has the name 'suppliers': change one of them.",
    ]);
  });

  test('a sentence begins with the file that defines the resource', () => {
    const wrong = suppliers({ sortable: ['logo'] });
    const [sentence] = wrongFacts([wrong], new Map([[wrong, 'functions/companies.ts']]));
    expect(sentence).toContain("functions/companies.ts: sortable names 'logo'");
  });

  test('a relation by a field that few callers see does not start', () => {
    const description = described({ ownerId: integer('Owner', { readableBy: 'owners:read' }) });
    const to = { name: 'suppliers', description, links: () => [] };
    const relations = {
      owner: {
        to,
        field: 'ownerId',
        kind: 'one',
        read: async () => ({ items: new Map(), unread: new Set<number>() }),
      },
    } as const;
    expect(wrongFacts([suppliers({ description, relations })])).toEqual([
      "functions/suppliers.ts: the relation 'owner' shows 'ownerId' to every caller: remove readableBy of 'ownerId'.",
    ]);
  });

  test('a path below the items of others shows no field that few callers see, and no item of one owner', () => {
    const description = described({
      ownerId: integer('Owner', { readableBy: 'owners:read' }),
      id2: integer('A'),
    });
    const owner = 'subject';
    const below = (field: string) =>
      suppliers({
        name: 'owners',
        routes: relatedItem('/suppliers/{id}/owner', { resource: 'suppliers', field }, async () => missing()),
      });
    const of = (field: string, facts: Partial<Resource> = {}) =>
      wrongFacts([below(field), suppliers({ description, ...facts })]).filter((one) =>
        one.includes("/owner'"),
      );
    expect(of('id2')).toEqual([]);
    expect(of('ownerId')[0]).toContain(
      "shows 'ownerId' of suppliers to other callers: remove its readableBy",
    );
    expect(of('none')[0]).toContain("shows 'none' of suppliers, which has no such field");
    expect(of('id2', { owner })[0]).toContain('shows the suppliers of all owners');
  });

  test('a relation to no resource does not start', () => {
    const to = { name: 'nope', description: described({}), links: () => [] };
    const relations = {
      owner: {
        to,
        field: 'missing',
        kind: 'one',
        read: async () => ({ items: new Map(), unread: new Set<number>() }),
      },
    } as const;
    const sentences = wrongFacts([suppliers({ relations })]);
    expect(sentences).toEqual([
      "functions/suppliers.ts: the relation 'owner' leads to 'nope', which is not a resource: correct it.",
    ]);
  });
});

// Specification 2.26
test.each([
  ['edit', '/things/{id}/edit'],
  ['versions', '/things/{id}/versions'],
  ['publish', '/things/{id}/publish'],
])('a binary property does not have the name of another path of its item: %s', (name, path) => {
  const things = define('things', {
    about: 'Things.',
    history: { days: 7 },
    fields: {
      [name]: ofBytes({ accepts: 'image/*' }),
      status: process({ draft: { publish: 'done' }, done: {} }),
    },
  });
  expect(wrongFacts([things])).toEqual([
    `functions/things.ts: the bytes of '${name}' have the path '${path}', which has another meaning: rename the field.`,
  ]);
});

// Specification 20.5.
test('no fact of stored properties has an effect in a view', () => {
  const secret = textOf({ readableBy: 'pay:read' });
  const pay = view('pay', {
    about: 'Salaries.',
    parameters: { code: textOf({ writableBy: 'pay:write' }) },
    fields: { name: secret, all: arrayOf(secret) },
    rows: () => [],
  });
  const one = view('one', { about: 'One.', fields: { name: secret }, one: () => ({}) });
  const sentence = (of: string, name: string, fact: string) =>
    `functions/${of}.ts: in the view, '${name}' has the fact ${fact}, which has no effect there: remove it.`;
  expect(wrongFacts([pay, one])).toEqual([
    sentence('pay', 'code', 'writableBy'),
    sentence('pay', 'name', 'readableBy'),
    sentence('pay', 'all.of', 'readableBy'),
    sentence('one', 'name', 'readableBy'),
  ]);
});
