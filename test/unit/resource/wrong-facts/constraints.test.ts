import { expect, test } from '@jest/globals';
import { wrongConstraints } from '../../../../service/wrong-facts/constraints.ts';
import type { Description, Fields, ItemFacts } from '../../../../shared/resource/description/description.ts';
import { anyValue, boolean, integer, text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { reference } from '../../../../shared/resource/description/references.ts';
import type { Process } from '../../../../shared/resource/process.ts';
import { resource } from '../../../../shared/resource/resource.ts';
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

const PROCESS: Process = {
  field: 'status',
  initial: 'draft',
  transitions: { send: { from: ['draft'], to: 'sent' } },
};

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
    ["'no' has several forms, so it cannot be unique: remove unique"],
  ],
  [
    'a unique field with later forms',
    made('bills', { no: integer('No', { unique: true, later: { from: 2, read: Number } }) }),
    ["'no' has several forms, so it cannot be unique: remove unique"],
  ],
  [
    'a reference to an unknown resource',
    made('bills', { sellerId: reference('sellers', { label: 'Seller' }) }),
    ["'sellerId' refers to 'sellers', which is not a resource with items: correct it"],
  ],
  [
    'a reference by another key',
    made('bills', { buyerId: buyerId({ key: 'buyerNo' }) }),
    ["'buyerId' refers to 'buyers' by 'buyerNo': its identifier is 'id', so set key"],
  ],
  [
    'clear of a reference that cannot be removed',
    made('bills', { buyerId: buyerId({ onDelete: 'clear', immutable: true }) }, {}, ['buyerId']),
    [
      "'buyerId' is required, so clear cannot remove it: use restrict or keep",
      "'buyerId' is immutable, so clear cannot remove it: use restrict or keep",
    ],
  ],
  [
    'clear of a reference that the service sets',
    made('bills', { buyerId: buyerId({ onDelete: 'clear', server: true }) }),
    ["'buyerId' is a value of the service, so clear cannot remove it: use restrict or keep"],
  ],
  [
    'a reference whose name gives no relation',
    made('bills', { buyer: reference(buyerFacts, { label: 'Buyer' }) }),
    ["'buyer' refers to 'buyers' and has no relation of its own: end its name with Id, or set as"],
  ],
  [
    'a reference to facts whose relation has the name of a field',
    made(
      'bills',
      { buyerId: reference(buyerFacts, { label: 'Buyer' }), buyer: text('Buyer') },
      {
        relations: {
          buyer: {
            to: buyerFacts,
            field: 'buyerId',
            kind: 'one',
            read: async () => ({ items: new Map(), unread: new Set<number>() }),
          },
        },
      },
    ),
    ["'buyerId' has the relation 'buyer', which is a field too: rename one of them"],
  ],
  [
    'more unique fields than a transaction holds',
    made('bills', uniqueFields(50)),
    ['its unique values, limits and references add 100 parts to a transaction, and 98 fit: declare fewer'],
  ],
  [
    'a lock in a state that the process does not have',
    made('bills', { no: integer('No', { lockedIn: ['sent', 'payed'] }) }, { process: PROCESS }),
    ["lockedIn of 'no' has 'payed', which is not a state: use draft, sent"],
  ],
  [
    'a lock without a process',
    made('bills', { no: integer('No', { lockedIn: ['sent'] }) }),
    ["lockedIn of 'no' has 'sent', which is not a state: declare a process"],
  ],
  [
    'a lock of a value that the service sets',
    made('bills', { no: integer('No', { lockedIn: ['sent'], server: true }) }, { process: PROCESS }),
    ["the service alone sets 'no': remove lockedIn"],
  ],
  [
    'a lock in a state',
    made('bills', { no: integer('No', { lockedIn: ['sent'] }) }, { process: PROCESS }),
    [],
  ],
  [
    'kept totals without history, of items with owners',
    made('bills', {}, { keptTotals: [{ by: [] }], owner: 'creator' }),
    [
      'totals keeps numbers from the log of changes, which needs history: state history: { days: 30 }, or totals: true',
      'its items have owners, whose totals are read: state totals: true',
    ],
  ],
  [
    'kept totals of wrong fields',
    made(
      'bills',
      { no: integer('No'), name: text('Name') },
      {
        history: { days: 3 },
        keptTotals: [
          { by: ['name', 'nme'], sum: ['name'] },
          { by: [], sum: ['no'] },
          { by: [], sum: ['no'] },
        ],
      },
    ),
    [
      'totals has the same one twice: remove one',
      "totals names 'name': use choices, states, references, booleans or days",
      "totals names 'nme', which is not a field: correct it",
      "totals names 'name': use integers or decimals",
    ],
  ],
  [
    'a limit by what is not a field, or has no order, or of another count',
    made(
      'bills',
      {
        no: integer('No'),
        any: anyValue('Any'),
        old: integer('Old', { earlier: { before: 2, read: () => 1 } }),
      },
      { atMost: [{ count: 500, of: ['nr', 'any', 'old'], says: 'no' }] },
    ),
    [
      'the count 500 of atMost is not a whole number from 1 to 100: correct it',
      "atMost names 'nr', which is not a field: correct it",
      "atMost names 'any', whose values cannot be compared: name another field",
      "atMost names 'old', which has several forms: name another field",
    ],
  ],
  [
    'a limit of items in a state or with a choice that no item has',
    made(
      'bills',
      { status: text('Status', { choices: ['draft', 'sent'] }), size: text('Size', { choices: ['S', 'L'] }) },
      {
        process: PROCESS,
        atMost: [{ count: 1, of: ['size'], where: { status: 'payed', size: 'XL' }, says: 'no' }],
      },
    ),
    [
      "atMost counts items whose 'status' is 'payed', which no item has: use draft, sent",
      "atMost counts items whose 'size' is 'XL', which no item has: use S, L",
    ],
  ],
  [
    'a limit by a value of the time of reading',
    made(
      'bills',
      { late: { ...boolean('Late'), atReading: () => true } },
      {
        atMost: [{ count: 1, of: ['late'], says: 'no' }],
      },
    ),
    ["atMost names 'late', which no item stores: name the fields that it comes from"],
  ],
  [
    'two limits of the same items',
    made(
      'bills',
      { no: integer('No') },
      {
        atMost: [1, 2].map((count) => ({ count, of: ['no'], where: { no: 1 }, says: 'no' })),
      },
    ),
    ["atMost has two limits of the same items, 'at most of no where no=1': keep the lower one"],
  ],
  [
    'more limits than a transaction holds',
    made('bills', uniqueFields(50), {
      atMost: Object.keys(uniqueFields(50)).map((no) => ({ count: 1, of: [no], says: 'no' })),
    }),
    ['its unique values, limits and references add 200 parts to a transaction, and 98 fit: declare fewer'],
  ],
  ['as many unique fields as a transaction holds', made('bills', uniqueFields(49)), []],
])('%s gives these sentences', (_, bills, sentences) => {
  expect(wrongConstraints(bills, [buyers, bills])).toEqual(sentences);
});
