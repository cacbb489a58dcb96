import { expect, test } from '@jest/globals';
import { amountText, showValue, sizeText } from '../../../pages/shown-value.ts';
import { Decimal } from '../../../shared/json/decimal.ts';

test.each([
  ['0', {}, '0.00'],
  ['7', {}, '7.00'],
  ['14.5', {}, '14.50'],
  ['99.90', {}, '99.90'],
  ['0.125', {}, '0.125'],
  ['-3.1', {}, '-3.10'],
  ['1e-60', {}, '1e-60'],
  ['14.5', { currency: 'EUR', decimals: 2 }, '14.50 EUR'],
  ['500', { currency: 'JPY', decimals: 0 }, '500 JPY'],
  ['500', { decimals: 3 }, '500.00'],
])('the amount %s of a field with %j is %s', (text, field, shown) => {
  expect(amountText(Decimal.parse(text) as Decimal, field)).toBe(shown);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [3156, '3.2 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [104_857_600, '105 MB'],
  [5_000_000_000_000, '5.0 TB'],
])('%i bytes are %s', (bytes, shown) => {
  expect(sizeText(bytes)).toBe(shown);
});

test.each([
  [['en', 'cobol'], 'en, cobol'],
  [[1, Decimal.parse('2.50') as Decimal], '1, 2.5'],
])('an array of simple values is a text with commas: %j', (value, text) => {
  expect(showValue(value)).toBe(text);
});

test.each([[[]], [['a, b']], [[1, null]], [[['nested']]], [[{ a: 1 }]], [['']]])(
  'another array is JSON: %j',
  (value) => {
    expect(String(showValue(value))).toMatch(/^<code>/);
  },
);
