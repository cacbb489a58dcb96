import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Body } from '../../support/client/client.ts';
import { itemsOf, linkOf, walk } from '../../support/client/walk.ts';
import { create, get, underTest, unique } from '../../support/service/under-test.ts';

underTest();

type Item = Body;
type Value = string | number | boolean | null | object | undefined;

/** A part of a query: its parameters, and what it means. */
interface Condition {
  readonly query: string;
  readonly keeps: (item: Item) => boolean;
}

const rank = (value: Value) =>
  value === undefined
    ? 0
    : typeof value === 'number'
      ? 1
      : typeof value === 'string'
        ? 2
        : typeof value === 'boolean'
          ? 3
          : 4;

/** The order of Specification 4.7 and D.4. */
function compare(a: Value, b: Value): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return rank(a) === 4 || a === undefined ? 0 : Number(a) - Number(b);
}

const TEXTS = ['', 'a', 'b', 'ab', 'é', 'z, y', '10', '🚀'];
const NUMBERS = [0, 1, 2, 10, 36];
const absent = <T>(values: readonly T[]) => fc.constantFrom<T | undefined>(...values, undefined);

const members = fc.array(
  fc.record({
    name: absent(TEXTS),
    age: absent(NUMBERS),
    email: absent(['a@a.example', 'b@a.example']),
    mixed: fc.constantFrom<Value>(...TEXTS, ...NUMBERS, 1.5, -2, true, false, null, [1], { a: 1 }, undefined),
    group: fc.constantFrom(1, 2),
  }),
  { minLength: 12, maxLength: 18 },
);

const encoded = (value: string | number) => encodeURIComponent(String(value).replaceAll(',', '\\,'));
const HOLDS = {
  gte: (order: number) => order >= 0,
  gt: (order: number) => order > 0,
  lte: (order: number) => order <= 0,
  lt: (order: number) => order < 0,
};

const among = (field: string, values: readonly (string | number)[]): Condition => ({
  query: `${field}=${values.map(encoded).join()}`,
  keeps: (item) => values.some((value) => item[field] === value),
});
const compared = (field: string, operator: keyof typeof HOLDS, value: string | number): Condition => ({
  query: `${field}.${operator}=${encoded(value)}`,
  keeps: (item) => item[field] !== undefined && HOLDS[operator](compare(item[field] as Value, value)),
});
const beginning = (field: string, prefix: string): Condition => ({
  query: `${field}.prefix=${encoded(prefix)}`,
  keeps: (item) => typeof item[field] === 'string' && item[field].startsWith(prefix),
});

const fields = { name: TEXTS, age: NUMBERS, email: ['a@a.example', 'b@a.example'] } as const;
const condition = fc.constantFrom('name', 'age', 'email').chain((field) => {
  const values = fields[field as keyof typeof fields] as readonly (string | number)[];
  const ways = [
    fc
      .uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
      .map((some) => among(field, some)),
    fc
      .tuple(fc.constantFrom('gte', 'gt', 'lte', 'lt'), fc.constantFrom(...values))
      .map(([operator, value]) => compared(field, operator as keyof typeof HOLDS, value)),
    ...(field === 'age' ? [] : [fc.constantFrom(...TEXTS).map((prefix) => beginning(field, prefix))]),
  ];
  return fc.oneof(...ways);
});
const conditions = fc.uniqueArray(condition, {
  maxLength: 3,
  selector: ({ query }) => query.split('=')[0],
});
const keys = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom('name', 'age', 'email', 'mixed', 'group', 'id', 'createdAt', 'updatedAt'),
    descending: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3, selector: ({ field }) => field },
);

const stored: (readonly Body[])[] = [];
const tags: string[] = [];

beforeAll(async () => {
  for (const sample of fc.sample(members, 4)) {
    const tag = unique('model');
    for (const values of sample) await create('/members', { username: tag, ...values });
    tags.push(tag);
    stored.push((await get(`/members?username=${tag}&limit=1000`)).json().items);
  }
}, 60_000);

// Specification 4.5 to 4.14, D.4
test('the pages of a walk are those of a filter and a sort in memory', async () => {
  expect(stored.every((items) => items.length > 0)).toBe(true);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 3 }),
      conditions,
      keys,
      fc.integer({ min: 1, max: 6 }),
      async (which, some, order, limit) => {
        const items = stored[which] as readonly Body[];
        const last = order.at(-1)?.descending ? -1 : 1;
        const expected = items
          .filter((item) => some.every(({ keeps }) => keeps(item)))
          .sort((a, b) => {
            for (const { field, descending } of order) {
              const difference = compare(a[field] as Value, b[field] as Value);
              if (difference !== 0) return descending ? -difference : difference;
            }
            return (a.id - b.id) * last;
          })
          .map(({ id }) => id);
        const sort = order.map(({ field, descending }) => (descending ? `-${field}` : field)).join();
        const query = [`username=${tags[which]}`, ...some.map((one) => one.query), `sort=${sort}`].join('&');
        const pages = await walk(`/members?${query}&limit=${limit}`);
        expect(itemsOf(pages).map(({ id }) => id)).toEqual(expected);
        const end = linkOf(pages.at(-1) as Body, 'prev');
        const before = end === undefined ? [] : await walk(end, 'prev');
        const back = [...itemsOf([...before].reverse()), ...(pages.at(-1) as Body).items];
        expect(back.map(({ id }) => id)).toEqual(expected);
      },
    ),
    { numRuns: 100 },
  );
}, 120_000);
