import { expect, describe as suite, test } from '@jest/globals';
import { deferrable } from '../../../../shared/operations/accepting/deferrable.ts';
import { collectionActions, collectionChecks } from '../../../../shared/operations/collection-actions.ts';
import {
  type Description,
  describe,
  type Fields,
  type ItemFacts,
} from '../../../../shared/resource/description/description.ts';
import { integer, text } from '../../../../shared/resource/description/fields.ts';
import { reference } from '../../../../shared/resource/description/references.ts';
import { type Resource, resource } from '../../../../shared/resource/resource.ts';
import { collection, forms } from '../../../../shared/resource/styles/collection.ts';
import { missingChecks, wrongConstraints } from '../../../../shared/resource/wrong-facts/constraints.ts';
import { registry } from '../../../fixtures/constrained/registry.ts';

const made = (name: string, fields: Fields, facts: object = {}, required: string[] = []) =>
  resource({
    name,
    title: name,
    about: name,
    description: describe({ singular: name, fields, required }) as Description,
    table: {},
    routes: () => [],
    ...facts,
  });
const buyers = made('buyers', { name: text('Name') });
const buyerFacts: ItemFacts = {
  name: 'buyers',
  description: describe({ singular: 'buyer', fields: {} }),
  links: () => [],
};
const buyerId = (more: object = {}) =>
  reference('buyers', { label: 'Buyer', onDelete: 'restrict', example: 1, ...more });

function uniqueFields(count: number): Fields {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`no${at}`, text('No', { unique: true })] as const),
  );
}

test('the resources of the tests have no wrong constraint', () =>
  expect(registry.flatMap((one) => wrongConstraints(one, registry))).toEqual([]));

test.each([
  [
    'a unique field with earlier forms',
    made('bills', { no: integer('No', { unique: true, earlier: { before: 2, read: () => 1 } }) }),
    ["'no' has earlier forms, so it cannot be unique: remove unique"],
  ],
  [
    'a reference to an unknown resource',
    made('bills', { sellerId: reference('sellers', { label: 'Seller' }) }),
    ["'sellerId' refers to 'sellers', which is no resource with items: correct it"],
  ],
  [
    'a reference by another key',
    made('bills', { buyerId: buyerId({ key: 'buyerNo' }) }),
    ["'buyerId' refers to 'buyers' by 'buyerNo': its identifier is 'id', so set key"],
  ],
  [
    'restrict without a list of the items',
    made('bills', { buyerId: buyerId() }),
    ["'buyerId' has restrict: name it in partitions of the table of 'bills'"],
  ],
  [
    'restrict of a resource that does not know of it',
    made('bills', { buyerId: buyerId() }, { table: { partitions: ['buyerId'] } }),
    ["'buyerId' has restrict: name 'bills' in referredBy of 'buyers'"],
  ],
  [
    'clear without a list of the items',
    made('bills', { buyerId: buyerId({ onDelete: 'clear' }) }),
    ["'buyerId' has clear: name it in partitions of the table of 'bills'"],
  ],
  [
    'clear of a reference that cannot be removed',
    made(
      'bills',
      { buyerId: buyerId({ onDelete: 'clear', immutable: true }) },
      { table: { partitions: ['buyerId'], whole: false } },
      ['buyerId'],
    ),
    [
      "'buyerId' is required, so clear cannot remove it: use restrict or keep",
      "'buyerId' is immutable, so clear cannot remove it: use restrict or keep",
      "'buyerId' selects the only list of 'bills', so clear cannot remove it: use restrict or keep",
    ],
  ],
  [
    'clear of a reference that the service sets',
    made(
      'bills',
      { buyerId: buyerId({ onDelete: 'clear', server: true }) },
      { table: { partitions: ['buyerId'] } },
    ),
    ["'buyerId' is a value of the service, so clear cannot remove it: use restrict or keep"],
  ],
  [
    'a reference to facts without a relation',
    made('bills', { buyerId: reference(buyerFacts, { label: 'Buyer' }) }),
    ["'buyerId' refers to 'buyers' by facts: add ...byReferences(description)"],
  ],
  [
    'a reference to facts whose name is no name of an identifier',
    made('bills', { buyer: reference(buyerFacts, { label: 'Buyer' }) }),
    ["'buyer' refers to 'buyers' by facts: end its name with Id"],
  ],
  [
    'a reference to facts whose relation has the name of a field',
    made('bills', { buyerId: reference(buyerFacts, { label: 'Buyer' }), buyer: text('Buyer') }),
    ["'buyerId' has the relation 'buyer', which is a field too: rename one of them"],
  ],
  [
    'more unique fields than a transaction holds',
    made('bills', uniqueFields(50)),
    ['its unique values and references add 100 parts to a transaction, and 98 fit: declare fewer'],
  ],
  ['as many unique fields as a transaction holds', made('bills', uniqueFields(49)), []],
])('%s gives these sentences', (_, bills, sentences) => {
  expect(wrongConstraints(bills, [buyers, bills])).toEqual(sentences);
});

suite('operations on unique values', () => {
  const defined = (deferral: Resource['deferral'], checks: object) =>
    made(
      'bills',
      { no: integer('No', { unique: true }) },
      {
        deferral,
        routes: (bills: Resource) => {
          const actions = collectionActions(bills);
          return [...collection('/bills', actions, { checks }), ...forms('/bills', actions, { checks })];
        },
      },
    );

  test('need checks', () =>
    expect(missingChecks(defined(deferrable, {}))).toEqual([
      'POST /bills has no check of unique values and references: give it collectionChecks(bills)',
      'POST /bills/new has no check of unique values and references: give it collectionChecks(bills)',
    ]));

  test('that have checks are right', () =>
    expect(missingChecks(defined(deferrable, collectionChecks(buyers)))).toEqual([]));

  test('that the service does not accept need none', () =>
    expect(missingChecks(defined(false, {}))).toEqual([]));
});
