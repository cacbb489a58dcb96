import { expect, test } from '@jest/globals';
import { ratchets } from './ratchets.ts';

test.each(ratchets)('there are at most $limit $name', ({ limit, found }) => {
  expect(found.slice(limit)).toEqual([]);
});
