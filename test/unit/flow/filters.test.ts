import { describe, expect, test } from '@jest/globals';
import { MAXIMUM_VALUES, readFilters } from '../../../shared/flow/request/query/filters.ts';
import type { Fault } from '../../../shared/http/problem.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import {
  anyValue,
  integer,
  money,
  structure,
  text,
  timestamp,
} from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import { matches } from '../../../shared/resource/lists/filter.ts';
import { comparisonOf } from '../../../shared/resource/lists/filter-parameter.ts';
import { resource } from '../../../shared/resource/resource.ts';

const things = resource({
  name: 'things',
  title: 'Things',
  about: 'Things.',
  description: described({
    singular: 'thing',
    identifier: { name: 'thingId', kind: 'integer', label: 'Number', example: 1 },
    fields: {
      name: text('Name'),
      state: text('State', { choices: ['on', 'off'] }),
      owner: integer('Owner', { isId: true }),
      count: integer('Count'),
      price: money('Price', 1),
      due: timestamp('Due'),
      size: anyValue('Size'),
      more: structure('More', { one: integer('One') }),
    },
  }),
  filters: { least: 'price.gte' },
  routes: () => [],
});

function read(...query: [string, string[]][]) {
  const faults: Fault[] = [];
  const filters = readFilters(things, { query: new Map(query) }, faults);
  return { filters: filters.map(({ values, ...one }) => ({ ...one, values: values.map(String) })), faults };
}

// Specification 4.12 to 4.15
describe('a query parameter', () => {
  test.each([
    ['name', 'a,b', { field: 'name', operator: '=', values: ['a', 'b'] }],
    ['name', 'a\\,b,a\\,b,c', { field: 'name', operator: '=', values: ['a,b', 'c'] }],
    ['name.gte', 'a,b', { field: 'name', operator: '>=', values: ['a,b'] }],
    ['name.prefix', '', { field: 'name', operator: 'prefix', values: [''] }],
    ['state', 'on', { field: 'state', operator: '=', values: ['on'] }],
    ['state.gt', 'a', { field: 'state', operator: '>', values: ['a'] }],
    ['owner', '0', { field: 'owner', operator: '=', values: ['0'] }],
    ['count', '1e2', { field: 'count', operator: '=', values: ['100'] }],
    ['count.lt', '-1', { field: 'count', operator: '<', values: ['-1'] }],
    ['price', '99.90', { field: 'price', operator: '=', values: ['99.9'] }],
    ['least', '5', { field: 'price', operator: '>=', values: ['5'] }],
    ['id', '7', { field: 'thingId', operator: '=', values: ['7'] }],
    ['thingId.lte', '7', { field: 'thingId', operator: '<=', values: ['7'] }],
    ['due', '1970-01-02', { field: 'due', operator: '=', values: ['86400000'] }],
    ['due', '1970-01-01t00:00:01.5z', { field: 'due', operator: '=', values: ['1500'] }],
    ['due.gt', '1970-01-01T01:00:00.0001 01:00', { field: 'due', operator: '>', values: ['0.1'] }],
    ['size', '5,XL', { field: 'size', operator: '=', values: ['5', '5', 'XL'] }],
    ['size.gte', '5.0', { field: 'size', operator: '>=', values: ['5'] }],
    ['size.gte', 'L', { field: 'size', operator: '>=', values: ['L'] }],
    ['createdAt.lt', '1970-01-01T00:00:00-01:00', { field: 'createdAt', operator: '<', values: ['3600000'] }],
  ])('%s=%s filters', (name, value, filter) => {
    expect(read([name, [value]])).toEqual({ filters: [filter], faults: [] });
  });

  test.each(['more', 'more.gte', 'name.x', 'name.gte.lt', 'other', 'links', '__proto__', 'constructor', ''])(
    'named %j is not a filter',
    (name) => expect(comparisonOf(things, name, {})).toBeUndefined(),
  );

  test.each([
    ['state', ['maybe']],
    ['owner', ['1.0']],
    ['owner', ['+1']],
    ['count', ['1.5']],
    ['price', ['1,', '2']],
    ['price.prefix', ['1']],
    ['price.gte', ['1', '2']],
    ['due', ['2026-13-01']],
    ['due', ['2026-02-29T00:00:00Z']],
    ['due', ['2026-01-01T00:00:00']],
    ['price', [`${'1'.repeat(1001)}`]],
    ['count', [Array.from({ length: 10_000 }, (_, at) => at).join()]],
  ])('%s=%.20j is refused by its name', (name, values) => {
    expect(read([name, values]).faults).toEqual([expect.objectContaining({ parameter: name })]);
  });

  test('has 500 values together with all others', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `${at}`).join();
    expect(read(['count', [many(MAXIMUM_VALUES)]]).faults).toEqual([]);
    expect(read(['count', [many(MAXIMUM_VALUES)]], ['name', ['a']]).faults).toEqual([
      expect.objectContaining({ parameter: 'name' }),
    ]);
  });
});

// Specification 4.13, 4.14 and D.4
test('no filter is met by an absent value, null, an object or an array', () => {
  for (const operator of ['=', '>=', '>', '<=', '<', 'prefix'] as const) {
    for (const value of [undefined, null, {}, []]) {
      for (const wanted of ['', Decimal.from(0)]) {
        expect(matches({ field: 'any', operator, values: [wanted] }, value)).toBe(false);
      }
    }
  }
});

test('a number is less than every text, and a text is less than every boolean', () => {
  const above = (value: string | Decimal) => ({ field: 'any', operator: '>' as const, values: [value] });
  expect(matches(above(Decimal.from(1e300)), '')).toBe(true);
  expect(matches(above('\u{10ffff}'), false)).toBe(true);
  expect(matches(above(''), Decimal.from(1e300))).toBe(false);
});
