import { describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { readContext } from '../../../infra/read-context.ts';
import { nameTables } from '../../../infra/stacks/risks.ts';
import {
  deploymentOf,
  type Promised,
  promisesOf,
  RELEASED,
  tableChanges,
  unreadableForms,
} from '../../../infra/stored.ts';
import { registry } from '../../../service/registry.ts';
import { wrongTable } from '../../../service/wrong-facts/tables.ts';
import type { Fields } from '../../../shared/resource/description/description.ts';
import { integer, text } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import { type Resource, resource } from '../../../shared/resource/resource.ts';
import { storedChanges } from '../../../tools/command/check/stored.ts';

const FIELDS = { name: text('Name'), age: integer('Age'), ownerId: integer('Owner', { isId: true }) };
const AGE = { before: 2, read: () => 'old' };

/** A resource whose items are also listed by their owner. */
const pets = (
  sortable: string[],
  fields: Fields = FIELDS,
  version = 1,
  partitions: string[] = ['ownerId'],
): Resource =>
  resource({
    name: 'pets',
    title: 'Pets',
    about: 'Pets',
    description: described({ singular: 'pet', version, fields }),
    sortable,
    table: { partitions },
    routes: () => [],
  });

const promiseOf = (one: Resource, before?: Promised): Promised =>
  promisesOf([one], before ? { pets: before } : {}).pets as Promised;
const first = promiseOf(pets(['name']));
const indexesOf = (one: Resource, before?: Promised) =>
  deploymentOf(one, before).next.indexes.map(({ name }) => name);
const changes = (one: Resource, before: Promised = first) => storedChanges([one], { pets: before });

test('the definitions can read what docs/stored.released.json promises, and it names their tables', () => {
  expect(registry.flatMap((one) => unreadableForms(one, RELEASED[one.name]))).toEqual([]);
  const tables = Object.keys(promisesOf(registry, RELEASED));
  expect(Object.keys(RELEASED).filter((name) => !tables.includes(name))).toEqual([]);
});

describe('a deployment', () => {
  test('creates all indexes of a new table', () => {
    expect(indexesOf(pets(['name']))).toEqual(['by_id', 'by_name', 'ownerId_by_id', 'ownerId_by_name']);
  });

  test.each([
    ['new orders', pets(['name', 'age', 'ownerId']), 4],
    ['a new list', pets(['name']), 2],
  ])('adds the indexes of %s one after the other', (_, wanted, count) => {
    let before = count === 2 ? promiseOf(pets(['name'], FIELDS, 1, [])) : first;
    for (let left = count; left > 0; left -= 1) {
      const deployment = deploymentOf(wanted, before);
      expect(deployment.left).toHaveLength(left - 1);
      expect(deployment.next.indexes).toHaveLength(before.indexes.length + 1);
      before = promiseOf(wanted, before);
    }
    expect(new Set(before.indexes)).toEqual(new Set(indexesOf(wanted)));
  });

  test('leaves the indexes of a removed order for one more deployment, and then deletes one at a time', () => {
    const { next } = deploymentOf(pets([]), first);
    expect(next.indexes.slice(2).map(({ partition, sort }) => [partition, sort])).toEqual([
      ['_shard', { name: '_by_name', type: 'B' }],
      ['ownerId', { name: '_by_name', type: 'B' }],
    ]);
    const second = promiseOf(pets([]), first);
    expect(indexesOf(pets([]), second)).toEqual(['by_id', 'ownerId_by_id', 'ownerId_by_name']);
    expect(promiseOf(pets([]), second).indexes).toEqual(['by_id', 'ownerId_by_id']);
  });

  test('first deletes an index if a table has 20 of them', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, integer(`F${n}`)]));
    const names = Object.keys(many);
    const full = promiseOf(pets(names.slice(0, 19), many, 1, []));
    const wanted = pets(names.slice(1), many, 1, []);
    expect(full.indexes).toHaveLength(20);
    const counts = [];
    let before = full;
    for (let left = 1; left > 0; ) {
      const deployment = deploymentOf(wanted, before);
      counts.push(deployment.next.indexes.length);
      left = deployment.left.length;
      before = promiseOf(wanted, before);
    }
    expect(counts).toEqual([20, 20]);
    expect(before.indexes).toContain('by_f19');
    expect(wrongTable(wanted)).toEqual([]);
    expect(wrongTable(pets(names, many, 1, [])).join()).toMatch(/^pets needs 21 indexes/);
  });

  test('deletes no index while it creates another one', () => {
    const wanted = pets(['age']);
    const added = promiseOf(wanted, promiseOf(wanted, first));
    expect(added.indexes).toHaveLength(6);
    expect(promiseOf(wanted, added).indexes).toHaveLength(5);
  });

  test('leaves the index of a renamed property', () => {
    const { name: _, ...fields } = { ...FIELDS, title: text('Title', { was: 'name' }) };
    expect(new Set(indexesOf(pets(['title'], fields), first))).toEqual(new Set(first.indexes));
  });
});

test.each<[string, Resource, RegExp]>([
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
  [
    'items get owners',
    { ...pets([]), owner: 'subject' },
    /The owner of items of pets is 'none', and the definition says 'subject'/,
  ],
  [
    'the identifier has another name',
    {
      ...pets([]),
      description: described({
        singular: 'pet',
        fields: FIELDS,
        identifier: { kind: 'integer', name: 'number', label: 'Number', example: 1 },
      }),
    },
    /The table of pets has the key id, and the definition names the identifier number/,
  ],
])('a definition cannot read stored items if %s', (_, changed, sentence) => {
  expect(unreadableForms(changed, first).join()).toMatch(sentence);
});

test('a promise of an earlier release, which names no owner and no key, fits any of them', () => {
  const { owner: _owner, key: _key, ...earlier } = first;
  expect(unreadableForms({ ...pets([]), owner: 'subject' }, earlier)).toEqual([]);
});

test('an attribute without a field keeps its kind, so a later field of another kind is refused', () => {
  const { age: _, ...fields } = FIELDS;
  const without = promiseOf(pets(['name'], fields), first);
  expect(without.fields.age).toBe('integer');
  expect(unreadableForms(pets(['name'], { ...fields, age: text('Age') }), without)).toHaveLength(1);
});

describe('the check of stored items', () => {
  test('fails if a release has a later version', () => {
    expect(changes(pets(['name']), { ...first, version: 2 })).toMatchObject([
      {
        effect: 'breaks',
        what: 'pets has items of version 2: its description cannot have version 1',
      },
    ]);
  });

  test.each<[string, Resource]>([
    ['the same definition', pets(['name'])],
    [
      'a new name',
      pets(
        ['name'].map(() => 'title'),
        {
          title: text('Title', { was: 'name' }),
          age: FIELDS.age,
          ownerId: FIELDS.ownerId,
        },
      ),
    ],
  ])('has nothing to say about %s', (_, changed) => {
    expect(changes(changed)).toEqual([]);
  });

  test('names the steps of a new order', () => {
    const [one, ...others] = changes(pets(['name', 'age']));
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      effect: 'waits',
      what: 'pets: the new indexes by_age, ownerId_by_age',
      steps: 'Deploy; run npm run tool -- release, and deploy again. Then run npm run backfill -- pets.',
    });
  });

  test('names the steps of an order that goes', () => {
    expect(changes(pets([])).map(({ what }) => what)).toEqual([
      'pets: the index by_name',
      'pets: the index ownerId_by_name',
    ]);
  });

  test('names the backfill of a limit that is new or lower', () => {
    const limited = (count: number) => ({
      ...pets(['name']),
      atMost: [{ count, of: ['ownerId'], where: { name: 'Rex' }, says: 'no' }],
    });
    const found = {
      effect: 'waits',
      what: 'pets: at most 2 items of ownerId where name=Rex',
      steps: expect.stringContaining('backfill'),
    };
    expect(changes(limited(2))).toMatchObject([found]);
    expect(changes(limited(2), promiseOf(limited(3)))).toMatchObject([found]);
    expect(changes(limited(2), promiseOf(limited(2)))).toEqual([]);
    expect(changes(limited(3), promiseOf(limited(2)))).toEqual([]);
  });

  test('names the value of a variable and the command of a secret that code begins to need', () => {
    const needing = { ...pets(['name']), needs: { variables: ['MAIL_FROM'], secrets: ['MAIL_KEY'] } };
    expect(changes(needing)).toMatchObject([
      { what: 'pets: its code needs the variable MAIL_FROM', steps: expect.stringContaining('MAIL_FROM: …') },
      {
        what: 'pets: its code needs the secret MAIL_KEY',
        steps: expect.stringContaining('secret -- MAIL_KEY'),
      },
    ]);
    expect(changes(needing, promiseOf(needing))).toEqual([]);
  });

  test('names the backfill of totals that the service begins to keep', () => {
    const keeping = (...by: readonly string[]) => ({ ...pets(['name']), keptTotals: [{ by, sum: ['age'] }] });
    const found = { effect: 'waits', what: 'pets: it keeps totals by (ownerId) of (age)' };
    expect(changes(keeping('ownerId'))).toMatchObject([found]);
    expect(changes(keeping('ownerId'), promiseOf(keeping('name')))).toMatchObject([found]);
    expect(changes(keeping('ownerId'), promiseOf(keeping('ownerId')))).toEqual([]);
  });

  test('names the backfill of values that become unique', () => {
    const unique = pets(['name'], { ...FIELDS, name: text('Name', { unique: true }) });
    expect(changes(unique)).toMatchObject([
      {
        effect: 'waits',
        what: 'pets.name: its values become unique',
        steps: expect.stringContaining('backfill'),
      },
    ]);
    expect(changes(unique, promiseOf(unique))).toEqual([]);
  });

  test('names the release that a roll-back over a new type needs', () => {
    const changed = pets(['name'], { ...FIELDS, age: text('Age', { earlier: AGE }) }, 2);
    expect(changes(changed)[0]?.steps).toMatch(
      /^To be able to return, first release the old fields with `later/,
    );
    const later = { from: 2, read: Number };
    const between = promiseOf(pets(['name'], { ...FIELDS, age: integer('Age', { later }) }), first);
    expect(between.reads).toBe(2);
    expect(changes(changed, between)[0]?.steps).toBe('Deploy, and run npm run backfill -- pets.');
  });

  test('names the step of a choice that goes', () => {
    const sized = (choices: string[], retired: string[] = []) =>
      pets(['name'], { ...FIELDS, size: text('Size', { choices, retired }) });
    const before = promiseOf(sized(['small', 'large']));
    expect(changes(sized(['small']), before)).toMatchObject([
      {
        effect: 'waits',
        what: "pets.size: the choice 'large' is gone",
        steps: "Say `retired: ['large']` at the field, until no item has it.",
      },
    ]);
    const retired = sized(['small'], ['large']);
    expect(changes(retired, before)).toEqual([]);
    expect(changes(sized(['small']), promiseOf(retired))).toHaveLength(1);
  });

  test('names a field that goes', () => {
    const { age: _, ...fields } = FIELDS;
    expect(changes(pets(['name'], fields))).toMatchObject([
      { effect: 'waits', what: 'pets: no field has the attribute age' },
    ]);
  });
});

test('a synthesis names the tables that enter and leave the stack, and no adopted one', () => {
  const app = new App();
  const stack = new Stack(app, 'shop');
  const { pets: promised } = { pets: { ...first, history: true } };
  const adoptedTables = 'subscriptions=arn:aws:dynamodb:eu-west-1:111122223333:table/subscriptions';
  const [subscriptions] = registry.filter(({ name }) => name === 'subscriptions');
  const changed = tableChanges([pets(['name']), subscriptions as Resource], {
    pets: promised,
    cats: promised,
  });
  nameTables(stack, { ...readContext(app.node), adoptedTables }, changed);
  const annotations = Annotations.fromStack(stack);
  annotations.hasInfo('*', Match.stringLikeRegexp('has the new tables deliveries, waiting\\. '));
  annotations.hasWarning('*', Match.stringLikeRegexp('no longer has the tables cats, versions: '));
  nameTables(new Stack(app, 'same'), readContext(app.node), tableChanges(registry, promisesOf(registry, {})));
  expect(
    Annotations.fromStack(app.node.findChild('same') as Stack).findWarning('*', Match.anyValue()),
  ).toEqual([]);
});
