import { expect, test } from '@jest/globals';
import { pageUnits } from '../../../lab/cost/model/shards.ts';

test('a page costs at least half a unit for each shard', () => {
  expect(pageUnits(1, 64)).toBe(32);
  // (25 + 1) × 400 bytes are three times 4 KB.
  expect(pageUnits(25, 1)).toBe(1.5);
});
