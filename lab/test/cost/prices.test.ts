import { expect, test } from '@jest/globals';
import { usd } from '../../../infra/cost/prices.ts';

// The limits of each form, and values on both sides of the half.
test.each([
  [0, '0'],
  [0.000234, '0.0002'],
  [0.00999, '0.01'],
  [0.01, '0.01'],
  [0.126, '0.13'],
  [99.994, '99.99'],
  [100.4, '100'],
  [100.5, '101'],
  [1234.6, '1,235'],
])('%d US dollars are written as %s', (value, text) => {
  expect(usd(value)).toBe(text);
});
