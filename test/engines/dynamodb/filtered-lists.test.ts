import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { metering, noUsage } from '../../../shared/aws/meter.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { sightOf } from '../../../shared/resource/access/sight.ts';
import type { IntegerField } from '../../../shared/resource/description/description.ts';
import type { Filter } from '../../../shared/resource/lists/filter.ts';
import type { ListPosition, PageQuery } from '../../../shared/resource/lists/page.ts';
import { descriptionOf } from '../../../shared/resource/resource.ts';
import { toAttributes } from '../../../shared/store/form/attributes.ts';
import { Pages } from '../../../shared/store/lists/pages.ts';
import { totalsActions } from '../../../shared/store/lists/totals.ts';
import { attached, resourceOf } from '../attached.ts';

// Some of these lists read more than 10,000 rows.
jest.setTimeout(60_000);

const ITEMS = 12_000;
const members = resourceOf('members');

attached((call, pass) => pass(...call));

beforeAll(async () => {
  for (let start = 0; start < ITEMS; start += 100) {
    const TransactItems = Array.from({ length: 100 }, (_, at) => {
      const id = (start + at) * 7;
      const values = { name: `n${id % 5}`, age: id, username: `u${id}`, email: `${id % 3000}@a.example` };
      const item = { id, version: 1, createdAt: 1, updatedAt: 1, values, internal: {} };
      const Item = toAttributes(members, item, config.shards());
      return { Put: { TableName: config.tableName('members'), Item } };
    });
    await dynamoDb().send(new TransactWriteItemsCommand({ TransactItems }));
  }
}, 120_000);

const equals = (field: string, ...values: (string | number)[]): Filter => ({
  field,
  operator: '=',
  values: values.map((value) => (typeof value === 'number' ? Decimal.from(value) : value)),
});

async function list(query: Partial<PageQuery>) {
  const usage = noUsage();
  const sortOrder = [{ field: 'id', descending: false }];
  const listing = await metering(usage, () =>
    new Pages(members).list(SERVICE, { limit: 100, offset: 0, sortOrder, filters: [], ...query }),
  );
  return { listing, units: usage.readUnits };
}

async function walked(query: Partial<PageQuery>) {
  const ids: unknown[] = [];
  let pages = 0;
  let after: ListPosition | undefined;
  do {
    const { listing } = await list({ ...query, after });
    if (listing.kind !== 'page') throw new Error(listing.kind);
    ids.push(...listing.page.items.map(({ id }) => id));
    after = listing.page.next;
    pages += 1;
  } while (after);
  return { ids, pages };
}

const chosen = (keeps: (id: number) => boolean) =>
  Array.from({ length: ITEMS }, (_, at) => at * 7).filter(keeps);

// Specification 4.16
describe('a filter without an index', () => {
  const filters = [equals('email', '7@a.example')];
  const expected = chosen((id) => id % 3000 === 7);

  test('reads 10,000 rows, and its short page has a next link', async () => {
    const { listing, units } = await list({ filters });
    expect(listing.kind === 'page' && listing.page.items.length).toBeLessThan(expected.length);
    expect(listing.kind === 'page' && listing.page.next).toBeTruthy();
    expect(units).toBeLessThan(800);
  });

  test('loses and repeats no item along its pages', async () => {
    for (const sortOrder of [[{ field: 'id', descending: false }], [{ field: 'age', descending: true }]]) {
      const { ids, pages } = await walked({ filters, sortOrder });
      expect(ids).toEqual(sortOrder[0]?.descending ? expected.toReversed() : expected);
      expect(pages).toBeGreaterThan(1);
    }
  });

  test('has no total if the count would read more rows', async () => {
    const { listing } = await list({ filters, count: true });
    expect(listing.kind === 'page' && listing.page.total).toBeUndefined();
  });

  test('gets the reason if it has to be sorted too', async () => {
    const sortOrder = [{ field: 'updatedAt', descending: false }];
    const { listing } = await list({ filters, sortOrder });
    expect(listing).toEqual({ kind: 'tooLong', indexed: ['id', 'username', 'name', 'age'] });
  });
});

// Specification 4.23
test('a list of more items than the service counts has no total', async () => {
  const { listing } = await list({ count: true, limit: 1 });
  expect(listing.kind === 'page' && listing.page.items.length).toBe(1);
  expect(listing.kind === 'page' && listing.page.total).toBeUndefined();
});

// Specification 4.16
test.each([
  [10_000, 'page'],
  [10_001, 'tooLong'],
])('a list of %i items in an order without an index is a %s', async (size, kind) => {
  const least: Filter = { field: 'id', operator: '<', values: [Decimal.from(size * 7)] };
  const { listing } = await list({ filters: [least], sortOrder: [{ field: 'email', descending: false }] });
  expect(listing.kind).toBe(kind);
});

// Specification 4.29
test.each([
  [10_000, 'found'],
  [10_001, 'refused'],
])('totals of %i items are %s', async (size, kind) => {
  const filters: Filter[] = [{ field: 'id', operator: '<', values: [Decimal.from(size * 7)] }];
  const page = { limit: 100, offset: 0, sortOrder: [], filters };
  const sight = sightOf(descriptionOf(members), undefined);
  const call = { caller: SERVICE, now: 0, idempotency: undefined, work: undefined, basePath: '' };
  const outcome = await totalsActions(members).all({ ...call, page, sight, query: { sum: ['age'] } });
  expect(outcome.kind).toBe(kind);
  const shown = outcome.kind === 'found' && outcome.state.kind === 'document' && outcome.state.members;
  const sum = (size * (size - 1) * 7) / 2;
  if (shown) expect(JSON.stringify(shown)).toBe(`{"items":[{"count":${size},"sum":{"age":${sum}}}],"by":[]}`);
  else
    expect(outcome).toMatchObject({
      problem: {
        detail: expect.stringContaining('Filter for fewer'),
      },
    });
});

// Specification 4.29
test.each([
  [['one'], 'found'],
  [['one', 'two'], 'refused'],
])('totals of 10,000 rows with sums of %j are %s', async (sum, kind) => {
  const described = descriptionOf(members);
  const { age } = described.fields as { age: IntegerField };
  const fields = { ...described.fields, age: { ...age, isId: true }, one: age, two: age };
  const description = { ...described, fields };
  const filters: Filter[] = [{ field: 'id', operator: '<', values: [Decimal.from(70_000)] }];
  const page = { limit: 100, offset: 0, sortOrder: [], filters };
  const call = { caller: SERVICE, now: 0, idempotency: undefined, work: undefined, basePath: '' };
  const sight = sightOf(description, undefined);
  const outcome = await totalsActions({ ...members, description }).all({
    ...call,
    page,
    sight,
    query: { by: ['age'], sum },
  });
  expect(outcome.kind).toBe(kind);
  if (outcome.kind === 'refused') expect(outcome.problem.detail).toMatch('10000 rows of 4 columns');
});

// Specification 4.16
describe('a filter with an index', () => {
  test.each([
    ['one value', [equals('username', 'u70')], [70]],
    ['two values', [equals('username', 'u7000', 'u70')], [70, 7000]],
    ['a value and another filter', [equals('username', 'u70'), equals('email', '70@a.example')], [70]],
    ['a range', [{ field: 'age', operator: '>=', values: [Decimal.from(83_990)] }], [83_993]],
    ['a prefix', [{ field: 'username', operator: 'prefix', values: ['u8399'] }], [83_993]],
    ['an identifier', [equals('id', 70, 71, 7000)], [70, 7000]],
    ['a range of identifiers', [{ field: 'id', operator: '<', values: [Decimal.from(7)] }], [0]],
  ] satisfies [string, Filter[], number[]][])('reads few rows: %s', async (what, filters, expected) => {
    const field = what.startsWith('a range') || what === 'a prefix' ? (filters[0]?.field ?? '') : 'id';
    const { listing, units } = await list({ filters, sortOrder: [{ field, descending: false }] });
    expect(listing.kind === 'page' && listing.page.items.map(({ id }) => id)).toEqual(expected);
    expect(units).toBeLessThan(8);
  });

  test('reads few rows also in another order, if it selects few items', async () => {
    const filters = [equals('username', 'u70', 'u7', 'u700')];
    for (const field of ['age', 'email']) {
      const { listing, units } = await list({ filters, sortOrder: [{ field, descending: true }] });
      const ids = listing.kind === 'page' ? listing.page.items.map(({ id }) => id) : [];
      expect([...ids].sort()).toEqual([7, 70, 700].sort());
      expect(units).toBeLessThan(10);
    }
  });

  test('reads a page in another order if it selects many items', async () => {
    const expected = chosen((id) => id % 5 === 2).toReversed();
    const { ids } = await walked({
      filters: [equals('name', 'n2')],
      sortOrder: [{ field: 'age', descending: true }],
      limit: 1000,
    });
    expect(ids).toEqual(expected);
  });

  test('reads at most 1000 of its rows to sort them, before it reads the order', async () => {
    const sortOrder = [{ field: 'age', descending: true }];
    const { listing, units } = await list({ filters: [equals('name', 'n2')], sortOrder, limit: 10 });
    expect(listing.kind === 'page' && listing.page.items).toHaveLength(10);
    // All 2400 rows need 50 units.
    expect(units).toBeLessThan(40);
  });

  test('counts without a read of the whole list', async () => {
    const { listing, units } = await list({ filters: [equals('name', 'n1', 'n2')], count: true, limit: 1 });
    expect(listing.kind === 'page' && listing.page.total).toBe(4800);
    expect(units).toBeLessThan(400);
  });
});
