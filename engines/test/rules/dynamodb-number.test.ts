import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expectLinear } from '../../../test/support/expectations/expect-linear.ts';
import { negate, numberText, orderedNumber, parseNumber, sumOf } from '../../dynamodb/values/number.ts';

const stored = (text: string): string => numberText(parseNumber(text));
const NINES = '9'.repeat(38);

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html, Number
describe('DynamoDB, "Supported data types and naming rules"', () => {
  test.each([
    `9.${'9'.repeat(37)}E+125`,
    `-9.${'9'.repeat(37)}E+125`,
    '1E-130',
    '-1E-130',
    NINES,
    `0.${NINES}`,
    `${NINES}0000`,
    `0.000${NINES}`,
    '0e999',
  ])('holds the number %s', (text) => expect(() => parseNumber(text)).not.toThrow());

  test.each(['1E126', '-1E126', '9.9E-131', '1E-131', `${NINES}1`, `1.${'0'.repeat(37)}1`, '1e99999999999'])(
    'refuses the number %s',
    (text) => expect(() => parseNumber(text)).toThrow('Number overflow or underflow'),
  );

  test.each(['', '-', '+1', '.5', '5.', '1e', '0x10', 'NaN', 'Infinity', '--1', '1 2', '1,5', '１'])(
    'takes %j for no number',
    (text) => expect(() => parseNumber(text)).toThrow('cannot be converted to a numeric value'),
  );

  test.each([
    ['00042', '42'],
    ['1.500', '1.5'],
    ['-0', '0'],
    ['0.0', '0'],
    ['1e3', '1000'],
    ['15e-1', '1.5'],
    ['0.0012', '0.0012'],
    ['1e39', `1${'0'.repeat(39)}`],
    ['1e40', '1e40'],
    ['-1.5E99', '-1.5e99'],
    ['1E-41', `0.${'0'.repeat(40)}1`],
    ['1E-42', '1e-42'],
  ])('stores %s as %s', (text, expected) => expect(stored(text)).toBe(expected));
});

describe('update expressions', () => {
  test.each([
    ['0.1', '0.2', '0.3'],
    ['1', '-1', '0'],
    ['0', '-5', '-5'],
    ['99.9', '0.1', '100'],
    [NINES, '-1', `${'9'.repeat(37)}8`],
    [NINES, '1', `1${'0'.repeat(38)}`],
    ['1e37', '-1', '9'.repeat(37)],
    ['1e125', '1e125', '2e125'],
    ['1e-130', '-1e-130', '0'],
  ])('add %s and %s', (left, right, sum) => expect(sumOf(left, right)).toBe(sum));

  test.each([
    [NINES, '0.1'],
    ['1e125', '1'],
    ['1e-130', '1'],
    [`9.${'9'.repeat(37)}E+125`, `9.${'9'.repeat(37)}E+125`],
  ])('refuse the sum of %s and %s, which is too long or too large', (left, right) =>
    expect(() => sumOf(left, right)).toThrow('Number overflow or underflow'),
  );
});

/** Numbers of at most 30 digits, with an exponent that keeps sums within 38 digits. */
const numbers = fc
  .record({ integer: fc.bigInt(-(10n ** 30n), 10n ** 30n), places: fc.nat(7) })
  .map(({ integer, places }) => ({
    text: `${integer}e-${places}`,
    scaled: integer * 10n ** BigInt(7 - places),
  }));

describe('every number', () => {
  test('is the same after it was stored', () => {
    fc.assert(
      fc.property(numbers, ({ text }) => {
        expect(stored(stored(text))).toBe(stored(text));
        expect(Number(stored(text))).toBe(Number(text) + 0);
      }),
    );
  });

  test('has the sum and the difference that integers have', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(sumOf(a.text, b.text)).toBe(stored(`${a.scaled + b.scaled}e-7`));
        expect(sumOf(a.text, negate(b.text))).toBe(stored(`${a.scaled - b.scaled}e-7`));
      }),
    );
  });

  test('has bytes in the order of numbers', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const order = Buffer.compare(orderedNumber(parseNumber(a.text)), orderedNumber(parseNumber(b.text)));
        expect(order).toBe(a.scaled < b.scaled ? -1 : a.scaled > b.scaled ? 1 : 0);
      }),
    );
  });

  test('is read in the time that its length needs', async () => {
    await expectLinear((length) => {
      const zeros = '0'.repeat(length);
      expect(stored(`${zeros}1`)).toBe('1');
      expect(() => parseNumber(`1${zeros}1`)).toThrow();
    });
  });
});
