import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { command } from '../support/service/command.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A typical mistake of an author: the facts of a resource, and what the editor says. */
interface Mistake {
  readonly what: string;
  readonly facts: string;
  readonly message: string;
}

const DEFINITIONS: readonly Mistake[] = [
  {
    what: 'a misspelled fact of a field',
    facts: "{ about: '', fields: { rating: integer({ maximun: 5 }) } }",
    message:
      "'maximun' does not exist in type 'IntegerFacts<boolean, boolean>'. Did you mean to write 'maximum'?",
  },
  {
    what: 'a misspelled fact of the resource',
    facts: "{ about: '', filds: { name: text() } }",
    message: "Did you mean to write 'fields'?",
  },
  {
    what: 'a fact that is missing',
    facts: '{ fields: { name: text() } }',
    message: "Property 'about' is missing",
  },
  {
    what: 'a transition to a state that does not exist',
    facts: "{ about: '', fields: { status: process({ draft: { send: 'snt' }, sent: {} }) } }",
    message: `Type '"snt"' is not assignable to type '"draft" | "sent"'. Did you mean '"sent"'?`,
  },
  {
    what: 'a title by a field that does not exist',
    facts: "{ about: '', fields: { name: text() }, itemTitle: 'nme' }",
    message: `Did you mean '"name"'?`,
  },
  {
    what: 'a filter with an operator that does not exist',
    facts: "{ about: '', fields: { name: text({ filters: { like: 'contains' } }) } }",
    message: `Type '"contains"' is not assignable to type 'Suffix'.`,
  },
  {
    what: 'a computed value from a field that an item can lack',
    facts:
      "{ about: '', fields: { due: date() }, computed: { late: { as: boolean(), value: ({ due }) => due < today() } } }",
    message: "'due' is possibly 'undefined'.",
  },
  {
    what: 'a computed value from a field that does not exist',
    facts:
      "{ about: '', fields: { due: date({ required: true }) }, computed: { late: { as: boolean(), value: ({ deu }) => deu < today() } } }",
    message: "Property 'deu' does not exist on type",
  },
  {
    what: 'a stored value that asks for the day',
    facts:
      "{ about: '', fields: { due: date({ required: true }) }, computed: { late: { as: boolean(), value: ({ due }, { today }) => due < today } } }",
    message: "Property 'today' does not exist on type 'NoClockUnlessAtRead'.",
  },
  {
    what: 'a value at reading of another kind',
    facts:
      "{ about: '', fields: { due: date({ required: true }) }, computed: { late: { as: boolean(), at: 'read', value: ({ due }, { today }) => due + today } } }",
    message: "Type 'string' is not assignable to type 'boolean | undefined'.",
  },
  {
    what: 'a computed value of another kind',
    facts:
      "{ about: '', fields: { due: date({ required: true }) }, computed: { days: { as: integer(), value: ({ due }) => due } } }",
    message: "Type 'string' is not assignable to type 'number'.",
  },
  {
    what: 'a comparison with a choice that does not exist',
    facts:
      "{ about: '', fields: { size: text({ choices: ['s', 'l'], required: true }) }, check: ({ size }) => (size === 'm' ? refuse('no') : undefined) }",
    message: `the types '"l" | "s"' and '"m"' have no overlap.`,
  },
  {
    what: 'a check that sets a field that does not exist',
    facts: "{ about: '', fields: { name: text() }, check: () => ({ nam: 'x' }) }",
    message: "Type '() => { nam: string; }' is not assignable to type 'Check<",
  },
  {
    what: 'a reference to a resource that does not exist',
    facts: "{ about: '', fields: { customerId: reference(customer) } }",
    message: "Cannot find name 'customer'. Did you mean 'customers'?",
  },
  {
    what: 'a parent by its name',
    facts: "{ about: '', under: 'customers', fields: { name: text() } }",
    message: "Type 'string' is not assignable to type 'Under | undefined'.",
  },
  {
    what: 'a field that is not a kind',
    facts: "{ about: '', fields: { name: 'text' } }",
    message: "Type 'string' is not assignable to type 'Declared<unknown, boolean, boolean>'.",
  },
  {
    what: 'a property of another resource that does not exist',
    facts:
      "{ about: '', fields: { by: integer({ required: true }) }, reads: [customers], check: async ({ by }, { read }) => ((await read(customers, by))?.nam ? refuse('no') : undefined) }",
    message: "Property 'nam' does not exist on type",
  },
  {
    what: 'a list with a misspelt filter',
    facts:
      "{ about: '', fields: { name: text() }, reads: [people], check: async (_, { count }) => ((await count(people, { 'nam.lt': 'B' })) ? refuse('no') : undefined) }",
    message: "''nam.lt'' does not exist in type 'Filters<",
  },
  {
    what: 'a list of the own resource with a misspelt filter',
    facts:
      "{ about: '', fields: { open: boolean() }, check: async (_, { count }) => ((await count('widgets', { opn: true })) ? refuse('no') : undefined) }",
    message: "Did you mean to write 'open'?",
  },
  {
    what: 'a list with a filter by a value of another kind',
    facts:
      "{ about: '', fields: { open: boolean() }, check: async (_, { count }) => ((await count('widgets', { open: 'yes' })) ? refuse('no') : undefined) }",
    message: "Type 'string' is not assignable to type 'boolean | readonly boolean[]",
  },
  {
    what: 'a list in an order that does not exist',
    facts:
      "{ about: '', fields: { due: date() }, actions: { a: { run: async ({ list }) => { for await (const _ of list('widgets', {}, { sort: '-deu' })); } } } }",
    message: `Type '"-deu"' is not assignable to type 'readonly Sort<`,
  },
  {
    what: 'a list of a resource that reads does not name',
    facts:
      "{ about: '', fields: { name: text() }, check: async (_, { count }) => ((await count(people)) ? refuse('no') : undefined) }",
    message: `is not assignable to parameter of type '"Add it to reads"'`,
  },
  {
    what: 'an action that sets a field that does not exist',
    facts:
      "{ about: '', fields: { name: text() }, actions: { rename: { body: object({ to: text() }), run: ({ item, body, items }) => items.update(item, { nam: body.to }) } } }",
    message: "Did you mean to write 'name'?",
  },
  {
    what: 'an action that reads a property that its body lacks',
    facts:
      "{ about: '', fields: { name: text() }, actions: { rename: { body: object({ to: text() }), run: ({ item, body, items }) => items.update(item, { name: body.too }) } } }",
    message: "Property 'too' does not exist on type",
  },
  {
    what: 'an action that changes a resource that writes does not name',
    facts:
      "{ about: '', fields: { name: text() }, actions: { rename: { run: ({ items }) => void items.of(people) } } }",
    message: `is not assignable to parameter of type '"Add it to writes"'`,
  },
  {
    what: 'a reaction that changes a resource that writes does not name',
    facts:
      "{ about: '', fields: { name: text() }, writes: [products], onChange: async ({ items }) => void items.of(people) }",
    message: `is not assignable to parameter of type '"Add it to writes"'`,
  },
  {
    what: 'a closed method by the name of HTTP',
    facts: "{ about: '', fields: { name: text() }, closed: ['delete'] }",
    message: `Type '"delete"' is not assignable to type 'Effect'.`,
  },
  {
    what: 'a rule of removals by a field that does not exist',
    facts:
      "{ about: '', fields: { name: text() }, checkRemoval: ({ nam }) => (nam ? refuse('no') : undefined) }",
    message: "Property 'nam' does not exist on type",
  },
  {
    what: 'a condition of an action without a reason',
    facts:
      "{ about: '', fields: { open: boolean() }, actions: { shut: { when: ({ open }) => open === true, run: () => undefined } } }",
    message: "=> string | true'.",
  },
  {
    what: 'a condition by a field that does not exist',
    facts:
      "{ about: '', fields: { open: boolean() }, actions: { shut: { when: ({ opn }) => opn || 'It is shut', run: ({ item }) => item } } }",
    message: "Property 'opn' does not exist on type",
  },
  {
    what: 'a condition of an action of the collection, which has no item',
    facts:
      "{ about: '', fields: {}, actions: { make: { at: 'collection', when: () => true, run: () => undefined } } }",
    message: "'when' does not exist in type 'CollectionAction<",
  },
  {
    what: 'a reaction to a field that does not exist',
    facts: "{ about: '', fields: { name: text() }, onChange: async ({ after }) => console.log(after?.nam) }",
    message: "Property 'nam' does not exist on type",
  },
  {
    what: 'code that reads a variable without stating it',
    facts:
      "{ about: '', fields: { name: text() }, onChange: async ({ variable }) => console.log(variable('MAIL_FROM')) }",
    message: `is not assignable to parameter of type '"Add it to needs.variables"'`,
  },
  {
    what: 'an action that reads a secret with another name than that of needs',
    facts:
      "{ about: '', fields: { name: text() }, needs: { secrets: ['MAIL_KEY'] }, actions: { send: { run: async ({ secret }) => void (await secret('MAIL_KY')) } } }",
    message: `Argument of type '"MAIL_KY"' is not assignable to parameter of type '"MAIL_KEY"'.`,
  },
  {
    what: 'a permission without resources',
    facts:
      "{ about: '', fields: { name: text() }, needs: { may: [{ actions: ['ses:SendEmail'] }] }, onChange: async () => {} }",
    message: "Property 'on' is missing",
  },
];

/** Mistakes of the author of a view. */
const VIEWS = [
  {
    what: 'a view that reads a parameter that it does not have',
    code: "view('report', { about: '', parameters: { month: text() }, fields: { n: integer() }, one: ({ parameters }) => ({ n: parameters.mnth?.length }) })",
    message: "Property 'mnth' does not exist on type",
  },
  {
    what: 'a view whose document lacks a property that it requires',
    code: "view('report', { about: '', fields: { n: integer({ required: true }), t: text() }, one: () => ({ t: 'a' }) })",
    message: "Type '() => { t: string; }' is not assignable to type",
  },
  {
    what: 'a view whose rows have a value of another kind',
    code: "view('report', { about: '', fields: { n: integer({ required: true }) }, rows: () => [{ n: 'one' }] })",
    message: "Type '() => { n: string; }[]' is not assignable to type",
  },
  {
    what: 'a view of a resource that reads does not name',
    code: "view('report', { about: '', fields: { n: integer() }, one: async ({ count }) => ({ n: await count(people) }) })",
    message: `is not assignable to parameter of type '"Add it to reads"'`,
  },
];

/** Mistakes in long actions. */
const LONG: readonly Mistake[] = [
  {
    what: 'each in an action that is not long',
    facts:
      "{ about: '', fields: {}, actions: { a: { run: async ({ each }) => { await each([1], () => {}); return undefined; } } } }",
    message: `is not assignable to parameter of type '"Add long: true to the action"'`,
  },
  {
    what: 'a long action that goes through a list with an order of its own',
    facts:
      "{ about: '', fields: { name: text({ sortable: true }) }, actions: { a: { long: true, run: ({ each, list }) => each(list('widgets', {}, { sort: 'name' }), () => {}) } } }",
    message: `is not assignable to parameter of type '"Read a list with sort or limit by for await"'.`,
  },
];

/** Mistakes in schedules. */
const SCHEDULES: readonly Mistake[] = [
  {
    what: 'a schedule on a day that does not exist',
    facts: "{ about: '', at: '02:00', on: 'mondy', run: () => {} }",
    message: `Type '"mondy"' is not assignable to type`,
  },
  {
    what: 'a schedule that changes a resource that writes does not name',
    facts: "{ about: '', hours: 6, writes: [products], run: ({ items }) => void items.of(people) }",
    message: `is not assignable to parameter of type '"Add it to writes"'`,
  },
  {
    what: 'a schedule that lists a resource that it does not state',
    facts: "{ about: '', hours: 6, reads: [products], run: ({ list }) => void list(people) }",
    message: `is not assignable to parameter of type '"Add it to reads"'`,
  },
  {
    what: 'a schedule that sets a field that does not exist',
    facts:
      "{ about: '', hours: 6, writes: [people], run: ({ each, list }) => each(list(people), (one, { items }) => void items.update(one, { nam: 'x' })) }",
    message: "Did you mean to write 'name'?",
  },
  {
    what: 'a schedule that goes on behind an item of a list with a limit',
    facts:
      "{ about: '', hours: 6, reads: [people], run: ({ each, list }) => each(list(people, {}, { limit: 5 }), () => {}) }",
    message: `is not assignable to parameter of type '"Read a list with sort or limit by for await"'.`,
  },
];

/** Mistakes of the author of a client. */
const CLIENTS = [
  {
    what: 'a client that creates an item with a state, which a transition sets',
    code: "shop.tasks.create({ state: 'closed' })",
    message: "'state' does not exist in type 'SentItem<",
  },
  {
    what: 'a client that changes a field that the service alone sets',
    code: 'shop.widgets.get(1).then((one) => one.patch({ count: 1 }))',
    message: "'count' does not exist in type 'SentItem<",
  },
  {
    what: 'a client that sets a computed field',
    code: 'shop.widgets.import([{ label: "a" }])',
    message: "'label' does not exist in type 'SentItem<",
  },
  {
    what: 'a client that filters by a misspelt suffix',
    code: "shop.widgets.list({ 'count.gtee': 1 })",
    message: "''count.gtee'' does not exist in type 'Query<",
  },
  {
    what: 'a client that selects a field that does not exist',
    code: "shop.widgets.list({ fields: ['nam'] })",
    message: `Did you mean '"name"'?`,
  },
  {
    what: 'a client that creates what only an action creates',
    code: 'shop.stamps.create({ name: "a" })',
    message: "Property 'create' does not exist on type",
  },
  {
    what: 'a client that changes what only an action changes',
    code: 'shop.stamps.get(1).then((one) => one.patch({ name: "a" }))',
    message: "Property 'patch' does not exist on type",
  },
  {
    what: 'a client that removes what only an action removes',
    code: 'shop.stamps.get(1).then((one) => one.remove())',
    message: "Property 'remove' does not exist on type",
  },
  {
    what: 'a client that names a parent by its plural',
    code: 'shop.badges.create({ peopleId: 1 })',
    message: "'peopleId' does not exist in type 'SentItem<",
  },
];

const MISTAKES = [
  ...[...DEFINITIONS, ...LONG].map(({ facts, ...one }) => ({
    ...one,
    code: `resource('widgets', ${facts})`,
  })),
  ...VIEWS,
  ...SCHEDULES.map(({ facts, ...one }) => ({ ...one, code: `every('nightly', ${facts})` })),
  ...CLIENTS,
];

const IMPORTS = `import { boolean, date, every, integer, object, process, reference, refuse, resource, text, today, view } from 'resource-api';
import { customers } from '../../functions/customers.ts';
import { products } from '../../functions/products.ts';
import { client } from 'resource-api/client';
const tasks = resource('tasks', { about: '', fields: { name: text(), state: process({ open: { close: 'closed' }, closed: {} }) } });
const widgets = resource('widgets', { about: '', fields: { name: text(), count: integer({ server: true }) }, computed: { label: { as: text(), value: ({ name }) => name } } });
const people = resource('people', { about: '', singular: 'person', fields: { name: text() } });
const badges = resource('badges', { about: '', under: people, fields: { name: text() }, check: ({ personId }) => (personId === 1 ? refuse('no') : undefined) });
const stamps = resource('stamps', { about: '', fields: { name: text() }, closed: ['create', 'change', 'remove'] });
const shop = client<{ tasks: typeof tasks; widgets: typeof widgets; badges: typeof badges; stamps: typeof stamps }>('');
export const names = [boolean, date, every, integer, object, process, reference, refuse, resource, text, today, view, customers, products];
`;
const HEAD = IMPORTS.split('\n').length - 1;

let folder: string;
let printed: readonly string[];

/** Compiles one file with a mistake in each line. */
beforeAll(async () => {
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.build', 'mistakes-'));
  const lines = MISTAKES.map(({ code }, at) => `export const mistake${at} = ${code};`);
  writeFileSync(join(folder, 'mistakes.ts'), `${IMPORTS}${lines.join('\n')}\n`);
  const project = { extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { log } = await command(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: ROOT });
  printed = log.split('\n');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(MISTAKES.map((mistake, at) => ({ ...mistake, line: HEAD + at + 1 })))(
  'the compiler finds $what',
  ({ line, message }) => {
    const found = printed.filter((text) => text.includes(`mistakes.ts(${line},`));
    expect(found).toEqual([expect.stringContaining(message)]);
    expect((found[0] ?? '').replace(/^.*?: error TS\d+: /, '').length).toBeLessThan(300);
  },
);

test('the compiler finds nothing else', () => {
  expect(printed.filter((text) => /: error /.test(text))).toHaveLength(MISTAKES.length);
});
