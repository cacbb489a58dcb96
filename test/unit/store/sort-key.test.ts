import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../shared/json/decimal.ts';
import { composedKey, keysOf, keysOfPrefix, sortKey } from '../../../shared/store/form/sort-key.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';

/** A value of a stored key. */
type SortValue = string | number | Decimal | undefined;

const sign = (n: number) => (n < 0 ? -1 : n > 0 ? 1 : 0);
const bytes = (a: Uint8Array, b: Uint8Array) => sign(Buffer.compare(a, b));
const d = (text: string) => Decimal.parse(text)!;

/** The order of code points, which differs from the order of UTF-16 units. */
function compareTexts(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const difference = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return sign(difference);
  }
  return sign(x.length - y.length);
}

/** The order of values: absent first. */
function compareValues(a: SortValue, b: SortValue): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  if (typeof a === 'string' || typeof b === 'string') return compareTexts(String(a), String(b));
  return Decimal.from(a).compare(Decimal.from(b));
}

// Small alphabets make common prefixes, ties and neighbors frequent.
const decimals = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[0-9]{1,38}$/), fc.integer({ min: -130, max: 130 }))
  .map(([minus, digits, exponent]) => d(`${minus}0.${digits}e${exponent}`))
  .filter((decimal) => decimal.exponent >= -130);
const near = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[019]{1,6}$/), fc.integer({ min: -2, max: 2 }))
  .map(([minus, digits, exponent]) => d(`${minus}0.${digits}e${exponent}`));
const numbers = fc.oneof(
  decimals,
  near,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, -1, 10, 100, 9007199254740991, 0.1, 5e-324, 1.7976931348623157e308),
);
const texts = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '\x01', '\x7f', 'é', '€', '\ufffd', '😀', '\u{10ffff}'),
    maxLength: 8,
  }),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
);
const absentOr = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 5 });
const ids = fc.oneof(
  fc.nat(),
  fc.maxSafeNat(),
  fc.constantFrom(0, 255, 256, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1),
);

describe('byte order is (value, then id)', () => {
  const cases: readonly [string, fc.Arbitrary<SortValue>][] = [
    ['numbers and decimals', absentOr(numbers)],
    ['numbers close to each other', absentOr(near)],
    ['texts', absentOr(texts)],
  ];
  test.each(cases)('%s, numeric ids', (_, values) => {
    fc.assert(
      fc.property(values, values, ids, ids, (a, b, i, j) => {
        expect(bytes(sortKey(a, i), sortKey(b, j))).toBe(compareValues(a, b) || sign(i - j));
      }),
      { numRuns: 2000 },
    );
  });
  test.each(cases)('%s, text ids', (_, values) => {
    fc.assert(
      fc.property(values, values, texts, texts, (a, b, i, j) => {
        expect(bytes(sortKey(a, i), sortKey(b, j))).toBe(compareValues(a, b) || compareTexts(i, j));
      }),
      { numRuns: 1000 },
    );
  });
  test.each(cases)(
    '%s: the range of a value separates smaller keys, its own keys and greater ones',
    (_, values) => {
      fc.assert(
        fc.property(values, values, ids, (wanted, value, id) => {
          if (wanted === undefined) return;
          const { low, high } = keysOf(typeof wanted === 'number' ? Decimal.from(wanted) : wanted);
          const key = sortKey(value, id);
          const place = bytes(key, low) < 0 ? -1 : bytes(key, high) > 0 ? 1 : 0;
          expect(place).toBe(sign(compareValues(value, wanted)));
        }),
        { numRuns: 2000 },
      );
    },
  );
  test('the range of a prefix has the keys of the texts that begin with it', () => {
    fc.assert(
      fc.property(texts, texts, ids, (prefix, text, id) => {
        const { low, high } = keysOfPrefix(prefix);
        const key = sortKey(text, id);
        expect(bytes(key, low) >= 0 && bytes(key, high) <= 0).toBe(text.startsWith(prefix));
      }),
      { numRuns: 2000 },
    );
  });
  test('a zero among the digits does not end the number', () => {
    expect(bytes(sortKey(d('0.12'), 'z'), sortKey(d('0.120001'), 'a'))).toBe(-1);
    expect(bytes(sortKey(d('-0.12'), 'a'), sortKey(d('-0.120001'), 'z'))).toBe(1);
    expect(bytes(sortKey(d('0.12'), 2 ** 53 - 1), sortKey(d('0.1200000001'), 0))).toBe(-1);
  });
  test('sorting keys sorts values', () => {
    const sorted = [
      '-1e130',
      '-123.46',
      '-123.45',
      '-123.4',
      '-123',
      '-12',
      '-1',
      '-0.9',
      '-1e-130',
      '0',
      '1e-130',
      '0.1',
      '0.5',
      '0.99',
      '1',
      '1.01',
      '9.99',
      '10',
      '99.9',
      '99.91',
      '100',
      '12345678901234567890',
      '1e129',
    ].map(d);
    const keys = sorted.map((value) => sortKey(value, 1));
    expect(keys.toReversed().sort(Buffer.compare)).toEqual(keys);
  });
});

describe('equal values have equal keys in any spelling', () => {
  test.each([
    ['1', '1.0'],
    ['100', '1e2'],
    ['0', '-0'],
    ['99.9', '99.90'],
    ['-0.5', '-5e-1'],
  ])('%s and %s', (a, b) => expect(sortKey(d(a), 7)).toEqual(sortKey(d(b), 7)));
  test('a number and its decimal', () => expect(sortKey(99.9, 7)).toEqual(sortKey(d('99.90'), 7)));
});

describe('layout', () => {
  test('absent: tag and id', () => {
    expect([...sortKey(undefined, 2 ** 32 + 258)]).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 2]);
    expect([...sortKey(undefined, 'ab')]).toEqual([0, 0x61, 0x62]);
  });
  test('text: tag, UTF-8, NUL, id', () => {
    expect([...sortKey('é', 1)]).toEqual([1, 0xc3, 0xa9, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect([...sortKey('', 'x')]).toEqual([1, 0, 0x78]);
  });
  test('an empty text differs from an absent one', () => {
    expect(bytes(sortKey(undefined, 9), sortKey('', 1))).toBe(-1);
    expect(bytes(sortKey(undefined, 9), sortKey(d('-1e130'), 1))).toBe(-1);
  });
});

describe('never longer than 1,024 bytes', () => {
  test('texts of 1,000 bytes are exact', () => {
    const a = `${'a'.repeat(999)}b`;
    const b = `${'a'.repeat(999)}c`;
    expect(bytes(sortKey(a, 2), sortKey(b, 1))).toBe(-1);
    expect(sortKey(a, 2).length).toBe(1010);
  });
  test('longer texts sort by their beginning', () => {
    const long = 'é'.repeat(5000);
    expect(sortKey(long, 1).length).toBeLessThanOrEqual(1024);
    expect(sortKey(long, 'x'.repeat(255)).length).toBe(1024);
    expect(bytes(sortKey(long, 1), sortKey(`${long}a`, 2))).toBe(-1);
    const { low, high, isExact } = keysOf(long);
    expect(isExact).toBe(false);
    for (const id of [1, 'x', 'x'.repeat(255)]) {
      const key = sortKey(long, id);
      expect([bytes(key, low), bytes(key, high)]).toEqual([1, -1]);
    }
  });
  test('numbers of any size neither throw nor break the order', () => {
    const sorted = ['-1e999999999', '-9e5000', '-1e3999', '-1e-3999', '0', '1e-3999', '1e3999', '9e5000'].map(
      d,
    );
    for (const [i, a] of sorted.entries()) {
      for (const b of atLeastOne(sorted.slice(i)))
        expect(bytes(sortKey(a, 1), sortKey(b, 1))).toBeLessThanOrEqual(0);
    }
    const digits = d(`0.${'1'.repeat(5000)}`);
    expect(sortKey(digits, 1).length).toBeLessThan(40);
    expect(bytes(sortKey(digits, 1), sortKey(d('0.2'), 0))).toBe(-1);
  });
});

// Specification 4.7, 4.9 and D.4
describe('the key of several values', () => {
  const part = (value: Parameters<typeof sortKey>[0], reversed = false) => ({
    value,
    isText: false,
    reversed,
  });

  test('orders values of different types: absent, numbers, texts, booleans, then all others', () => {
    const values = [undefined, -1, 0, d('1e30'), '', '0', 'a', '\u{10ffff}', false, true, null];
    const keys = values.map((value) => composedKey([part(value)], 7));
    expect(keys.toReversed().sort(Buffer.compare)).toEqual(keys);
    const others: Parameters<typeof sortKey>[0][] = [null, [], {}, [1], { a: 1 }];
    const same = others.map((value) => composedKey([part(value)], 7));
    for (const key of same) expect(key).toEqual(same[0]);
  });

  test('is the key of the index for one value', () => {
    for (const value of [undefined, 5, 'abc', 'é'.repeat(5000)]) {
      expect(composedKey([{ value, isText: true, reversed: false }], 7)).toEqual(
        Buffer.from(sortKey(value, 7)),
      );
    }
    expect([...composedKey([], 258)]).toEqual([...sortKey(undefined, 258)]);
  });

  test('orders by the first value, then by the second, then by the identifier', () => {
    const values = absentOr(fc.oneof(numbers, texts));
    fc.assert(
      fc.property(
        fc.tuple(values, values, ids),
        fc.tuple(values, values, ids),
        fc.boolean(),
        (a, b, reversed) => {
          const key = ([first, second, id]: typeof a) =>
            composedKey([part(first, reversed), part(second)], id);
          const rank = (value: SortValue) => (value === undefined ? 0 : typeof value === 'string' ? 2 : 1);
          const compare = (x: SortValue, y: SortValue) => sign(rank(x) - rank(y)) || compareValues(x, y);
          const first = compare(a[0], b[0]) * (reversed ? -1 : 1);
          expect(bytes(key(a), key(b))).toBe(sign(first || compare(a[1], b[1]) || a[2] - b[2]));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('has at most 1,024 bytes', () => {
    const long = part('x'.repeat(5000));
    expect(composedKey([long, long], 1).length).toBeLessThanOrEqual(1024);
    expect(composedKey([long, long], 'x'.repeat(255)).length).toBeLessThanOrEqual(1024);
  });
});
