import { describe, expect, test } from '@jest/globals';
import { shareOf } from '../../../shared/store/lists/reading/partition-reader.ts';
import { type Rows, sortedRows } from '../../../shared/store/lists/reading/sorted-rows.ts';
import { sizeOf } from '../../../shared/store/lists/take-page.ts';

type Row = NonNullable<Awaited<ReturnType<Rows['next']>>>;

const row = (name: string) => ({ name: { S: name } });
const key = (one: Row) => ({ key: Buffer.from(one === 'unknown' ? '' : (one.name?.S ?? '')), id: 1 });

/** Rows in this order. 'unknown': reading stops there. */
function source(...names: string[]): Rows {
  let at = 0;
  return {
    next: async () => {
      at += 1;
      const name = names[at - 1];
      return name === 'unknown' ? 'unknown' : name === undefined ? undefined : row(name);
    },
    frontier: { key: Buffer.of(), id: 1, backwards: false },
    position: (one) => ({ ...key(one), backwards: false }),
  };
}

async function sorted(names: string[], wanted: Partial<Parameters<typeof sortedRows>[2]>) {
  const rows = await sortedRows(source(...names), key, { forward: true, count: 10, maximum: 10, ...wanted });
  if (rows === 'too-many') return rows;
  const found: (string | undefined)[] = [];
  for (let one = await rows.next(); one && one !== 'unknown'; one = await rows.next())
    found.push(one.name?.S);
  return found;
}

describe('a list that the service sorts by reading', () => {
  test('has the first rows in the order of their keys', async () => {
    expect(await sorted(['c', 'a', 'd', 'b', 'e', 'f', 'g'], { count: 3 })).toEqual(['a', 'b', 'c']);
  });

  test('has the last rows first if it is read backwards', async () => {
    expect(await sorted(['c', 'a', 'd', 'b'], { count: 2, forward: false })).toEqual(['d', 'c']);
  });

  test('begins after a position, whose row need not exist', async () => {
    const from = { key: Buffer.from('b'), id: 1, backwards: false };
    expect(await sorted(['d', 'a', 'c'], { from })).toEqual(['c', 'd']);
  });

  test('is too long if it has more rows than the maximum', async () => {
    expect(await sorted(['a', 'b', 'c'], { maximum: 3 })).toEqual(['a', 'b', 'c']);
    expect(await sorted(['a', 'b', 'c'], { maximum: 2 })).toBe('too-many');
  });

  test('is too long if the budget of units ends before its rows', async () => {
    expect(await sorted(['a', 'unknown'], {})).toBe('too-many');
  });
});

describe('the size of a row', () => {
  test('grows with the bytes of its texts, not with their characters', () => {
    const ascii = sizeOf({ name: { S: 'aaaa' } });
    expect(sizeOf({ name: { S: 'aaaaa' } }) - ascii).toBe(1);
    expect(sizeOf({ name: { S: 'ääää' } }) - ascii).toBe(4);
  });

  test('counts the digits of a number', () => {
    expect(sizeOf({ price: { N: '1234' } }) - sizeOf({ price: { N: '1' } })).toBe(3);
  });
});

describe('the share of a partition', () => {
  test('is everything if there is one partition', () => expect(shareOf(25, 1)).toBe(25));

  test('is more than an even part, because chance distributes the rows', () => {
    expect(shareOf(100, 4)).toBe(36);
    expect(shareOf(1, 4)).toBe(3);
  });
});
