import { expect, test } from '@jest/globals';
import { ASSUMED } from '../../../tools/cost/assumptions.ts';
import { billOf, type Counted, NOTHING, totalOf } from '../../../tools/cost/bill.ts';
import { comparedWithLimits } from '../../cost/model/limits.ts';

const COUNTED: Counted = { ...NOTHING, requests: 1, readUnits: 2, writeUnits: 5 };
const KINDS = [{ name: 'POST item', counted: COUNTED }];

test.each([
  ['read units', 2],
  ['write units', 5],
  ['$ a million', totalOf(billOf(COUNTED, ASSUMED, 0)) * 1_000_000],
] as const)('a limit of %s is compared with the counts of its kind of request', (measure, value) => {
  expect(comparedWithLimits(KINDS, ASSUMED, 0, [['POST item', measure, 4]])).toEqual([
    { kind: 'POST item', measure, value, limit: 4 },
  ]);
});

test('a limit of a request that nothing counts is an error', () => {
  const compare = () => comparedWithLimits(KINDS, ASSUMED, 0, [['POST nothing', 'write units', 4]]);
  expect(compare).toThrow('POST nothing');
});
