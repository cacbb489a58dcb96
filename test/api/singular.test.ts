import { expect, test } from '@jest/globals';
import { regularSingular } from '../../api/definition.ts';

test.each([
  ['invoices', 'invoice'],
  ['companies', 'company'],
  ['boxes', 'box'],
  ['branches', 'branch'],
  ['addresses', 'address'],
  ['keys', 'key'],
  ['houses', 'house'],
])('the singular of %s is %s', (plural, singular) => {
  expect(regularSingular(plural)).toBe(singular);
});

test.each(['people', 'status', 'glass', 'analysis', 's'])('the singular of %s is not clear', (plural) => {
  expect(regularSingular(plural)).toBeUndefined();
});
