import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { registry } from '../../../service/registry.ts';
import { changeOf } from '../../../shared/events/cloud-event.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { type Resource, resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { toAttributes } from '../../../shared/store/form/attributes.ts';

const AT = Date.UTC(2026, 10, 21, 10, 0, 0, 123);
const LATER = AT + 5000;

const named = (name: string) => registry.find((one) => one.name === name) as Resource;

/** An operation, of which only the end has an event. */
const jobs = resource({
  name: 'jobs',
  title: 'Jobs',
  about: 'Work',
  routes: () => [],
  description: described({ singular: 'job', fields: { status: text('Status') } }),
  table: {},
  events: { field: 'status', finals: ['Succeeded', 'Failed'] },
});

type State = Partial<Item> & { readonly hidden?: Attributes };

const imageOf = (of: Resource, { hidden = {}, ...state }: State): Attributes => ({
  ...toAttributes(
    of,
    {
      ...{ id: 5, version: 1, createdAt: AT, updatedAt: AT, values: {}, internal: {} },
      ...(of.owner ? { owner: 'the owner' } : {}),
      ...state,
    },
    4,
  ),
  ...hidden,
});

/** The change between two states of an item. undefined: the item does not exist. */
const changeBetween = (
  of: Resource,
  before: State | undefined,
  after: State | undefined,
  more: DynamoDBRecord = {},
  hash?: (subject: string) => string,
) =>
  changeOf(
    of,
    {
      eventID: 'e1',
      eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(LATER / 1000),
        SequenceNumber: '100000000000000000007',
        ...(before && { OldImage: imageOf(of, before) }),
        ...(after && { NewImage: imageOf(of, after) }),
      },
      ...more,
    } as DynamoDBRecord,
    hash,
  );

/** The event of such a change. */
const change = (...between: Parameters<typeof changeBetween>) => changeBetween(...between)?.event;

// Specification 13.1
test.each<[string, State]>([
  ['before', { hidden: { age: { S: 'x' } } }],
  ['after', {}],
])(
  'an item that has an unknown form %s a change has an event, without data if it still has it',
  (when, state) => {
    const hidden = { age: { S: 'x' } };
    const after: State = { version: 2, updatedAt: LATER, ...(when === 'after' ? { hidden } : {}) };
    const event = change(named('members'), state, after);
    expect(event).toMatchObject({ type: 'member.changed', subject: '/members/5' });
    if (when === 'before') expect(event).toMatchObject({ data: { id: 5 } });
    else expect(event).toEqual(expect.objectContaining({ dataref: '/members/5' }));
    expect(Object.hasOwn(event ?? {}, 'data')).toBe(when === 'before');
  },
);

const WITH_TABLE = registry.filter(({ table }) => table);

describe.each(WITH_TABLE.filter(({ events }) => !events?.finals))('$name', (of) => {
  const { singular = '', identifier } = of.description ?? {};
  const id = identifier?.kind === 'text' ? 'a name.png' : 5;
  const first = { id };
  const second = { id, version: 2, updatedAt: LATER };

  test.each<[string, State | undefined, State | undefined]>([
    ['created', undefined, first],
    ['changed', first, second],
    ['removed', second, undefined],
  ])('%s', (what, before, after) => {
    expect(change(of, before, after)).toMatchObject({
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: `${singular}.${what}`,
      source: `/${of.name}`,
      subject: `/${of.name}/${encodeURIComponent(id)}`,
      datacontenttype: 'application/json',
      data: { [identifier?.name ?? '']: id },
    });
  });

  test('a removal is not before the last version, although its time has whole seconds', () => {
    const updatedAt = Math.floor(LATER / 1000) * 1000 + 999;
    expect(change(of, { ...second, updatedAt }, undefined)?.time).toBe(new Date(updatedAt).toISOString());
    expect(change(of, { ...second, updatedAt: AT }, undefined)?.time).toBe(
      new Date(Math.floor(LATER / 1000) * 1000).toISOString(),
    );
  });

  test('fields that need a scope are not in the event', () => {
    const salaries = resource({
      name: 'salaries',
      title: 'Salaries',
      about: 'Salaries',
      routes: () => [],
      description: described({
        singular: 'salary',
        fields: { name: text('Name'), amount: text('Amount', { readableBy: 'salaries:read' }) },
      }),
      table: {},
    });
    const values = { name: 'Ada', amount: '5000' };
    const event = change(salaries, undefined, { values, createdBy: 'ada' });
    expect(event?.data).toEqual({
      id: 5,
      name: 'Ada',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('internal attributes of an item are not in its event', () => {
    const hidden = { _engaged: { N: '1' }, _by_name: { B: new Uint8Array([1]) }, _write: { S: 'w' } };
    expect(change(of, first, { id, hidden })).toBeUndefined();
  });

  test('an imported version is in the log alone, and each later version has an event', () => {
    const imported = { ...second, hidden: { _imported: { N: '2' } } };
    const third = { ...imported, version: 3 };
    const typesOf = (...between: [State | undefined, State | undefined]) => {
      const { isSilent, envelope } = changeBetween(of, ...between) ?? {};
      return [isSilent, envelope?.type];
    };
    expect(typesOf(undefined, imported)).toEqual([true, `${singular}.created`]);
    expect(typesOf(first, imported)).toEqual([true, `${singular}.changed`]);
    expect(typesOf(imported, third)).toEqual([false, `${singular}.changed`]);
    expect(typesOf(imported, undefined)).toEqual([false, `${singular}.removed`]);
  });

  test('the sequence of a subject grows in text order', () => {
    const versions = [9, 10, 100].map((version) => change(of, { id, version: 1 }, { id, version })?.sequence);
    const removed = change(of, { id, version: 100 }, undefined)?.sequence;
    const all = [...versions, removed];
    expect(all).toEqual([...all].sort());
    expect(new Set(all).size).toBe(4);
  });
});

test('an event has the specified form', () => {
  const values = { name: 'Acme', vatId: 'IE1', rate: Decimal.parse('0.10') as Decimal };
  const event = change(
    named('customers'),
    { values: { name: 'Old' } },
    { version: 2, updatedAt: LATER, values, internal: { engaged: 2 } },
  );
  expect(JSON.stringify(event)).toBe(
    JSON.stringify({
      specversion: '1.0',
      id: '2c937d05943774e76a47baaaf7fb5954',
      source: '/customers',
      type: 'customer.changed',
      subject: '/customers/5',
      time: '2026-11-21T10:00:05.123Z',
      sequence: '0000000002',
      datacontenttype: 'application/json',
      data: {
        id: 5,
        name: 'Acme',
        vatId: 'IE1',
        rate: Decimal.parse('0.10'),
        createdAt: '2026-11-21T10:00:00.123Z',
        updatedAt: '2026-11-21T10:00:05.123Z',
      },
    }),
  );
});

test('decimals keep their digits', () => {
  const price = Decimal.parse('12345678901234567890.123456789') as Decimal;
  const event = change(named('products'), undefined, { values: { price } });
  expect(JSON.stringify(event)).toContain('"price":12345678901234567890.123456789,');
});

describe('the process of an order', () => {
  const orders = named('orders');
  const order = (status: string, version = 1, quantity = 1): State => ({
    version,
    values: { status, quantity, productId: 1 },
  });

  test.each<[string, State | undefined, State | undefined]>([
    ['order.created', undefined, order('created')],
    ['order.paid', order('created'), order('paid', 2)],
    ['order.placed', order('paid', 2), order('placed', 3)],
    ['order.completed', order('placed', 3), order('completed', 4)],
    ['order.canceled', order('placed', 3), order('canceled', 4)],
    ['order.changed', order('paid', 2), order('paid', 3, 7)],
    ['order.removed', order('paid', 2), undefined],
  ])('has the event %s', (type, before, after) =>
    expect(change(orders, before, after)).toMatchObject({ type }),
  );
});

describe('images of products', () => {
  const products = named('products');
  const image = (version: number, contentType?: string): State => ({
    version,
    binaries: contentType
      ? { productImage: { key: 'binaries/1', contentType, size: 1, sha256: 'YQ==', storedAt: 1 } }
      : {},
  });

  test.each<[string, State, State]>([
    ['stored', image(1), image(2, 'image/png')],
    ['replaced by one of its type', image(2, 'image/png'), image(3, 'image/png')],
    ['removed', image(3, 'image/png'), image(4)],
  ])('%s', (_what, before, after) => {
    const event = change(products, before, after);
    expect(event).toMatchObject({ type: 'product.changed' });
    expect(Object.keys(event?.data ?? {}).filter((name) => name.startsWith('_'))).toEqual([]);
    const href = '/products/5?fields=productImage';
    expect(event?.data?.productImage).toEqual(
      after.binaries?.productImage && { href, contentType: 'image/png', size: 1, digest: 'sha-256=:YQ==:' },
    );
  });
});

describe('a resource with events for some states only', () => {
  const job = (status: string, version = 1): State => ({ version, values: { status } });

  test.each<[string | undefined, State | undefined, State | undefined]>([
    [undefined, undefined, job('NotStarted')],
    [undefined, job('NotStarted'), job('Running', 2)],
    ['job.succeeded', job('Running', 2), job('Succeeded', 3)],
    ['job.failed', job('Running', 2), job('Failed', 3)],
    ['job.succeeded', undefined, job('Succeeded')],
    [undefined, job('Succeeded', 3), job('Succeeded', 4)],
    [undefined, job('Succeeded', 3), undefined],
  ])('has the event %s', (type, before, after) => expect(change(jobs, before, after)?.type).toBe(type));

  test('has none if the time to live removes the item', () => {
    const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    expect(change(jobs, job('Succeeded', 3), undefined, { userIdentity })).toBeUndefined();
  });
});

// Specification 11.14
describe('the caller of a change', () => {
  const hash = (subject: string) => `hash of ${subject}`;
  const by = (subject: string): State => ({ createdBy: 'ada', updatedBy: subject, version: 2 });
  const of = (before: State | undefined, after: State | undefined) =>
    change(named('members'), before, after, {}, hash);

  test('is in the event as a hash', () => {
    expect(of(undefined, by('ada'))).toMatchObject({ authtype: 'unknown', authid: 'hash of ada' });
    expect(of({}, by('bob'))).toMatchObject({ authid: 'hash of bob' });
    expect(JSON.stringify(of({}, by('bob'))?.data)).not.toMatch(/bob|ada/);
  });

  test('is absent if it is unknown, if there is no key, and after a removal', () => {
    const events = [
      of({}, { version: 2 }),
      change(named('members'), {}, by('bob')),
      of(by('bob'), undefined),
    ];
    for (const event of events) {
      expect(event).toBeDefined();
      expect(event).not.toHaveProperty('authid');
      expect(event).not.toHaveProperty('authtype');
    }
  });

  test('is the owner of an operation for each of its states', () => {
    const operation = { values: { status: 'Succeeded' }, createdBy: 'ada', updatedAt: LATER, version: 3 };
    const event = change(named('operations'), { values: { status: 'Running' } }, operation, {}, hash);
    expect(event).toMatchObject({ type: 'operation.succeeded', authid: 'hash of ada' });
  });
});

test('the id of an event follows from the version, so the stream of a copy has the same one', () => {
  const members = named('members');
  const created = change(members, undefined, {});
  expect(change(members, undefined, {}, { eventID: 'of a copy' })?.id).toBe(created?.id);
  const others = [
    change(members, {}, { version: 2, updatedAt: LATER }),
    change(members, {}, undefined),
    change(members, undefined, { id: 6 }),
    change(named('customers'), undefined, {}),
    // An import after a removal repeats a version at another time.
    change(members, undefined, { updatedAt: LATER }),
  ];
  expect(new Set([created, ...others].map((one) => one?.id)).size).toBe(6);
});

test('a name that returns after its removal continues the sequence', () => {
  const files = named('files');
  const first = change(files, { id: 'a', version: 7 }, undefined);
  const again = change(files, undefined, { id: 'a', version: 1, createdAt: LATER, updatedAt: LATER });
  expect([again?.sequence, first?.sequence].sort()).toEqual([first?.sequence, again?.sequence]);
});

test('the event of a removal has the time of its record', () => {
  expect(change(named('customers'), {}, undefined)?.time).toBe('2026-11-21T10:00:05.000Z');
});
