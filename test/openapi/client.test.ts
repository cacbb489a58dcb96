import { expect, test } from '@jest/globals';
import { tour } from '../../examples/client/tour.ts';
import { address, create, underTestAlone } from '../support/under-test.ts';

underTestAlone();

test('the example client runs', async () => {
  for (const username of ['one', 'two', 'three']) await create('/members', { username });
  expect(await tour(address())).toEqual([
    'created ada',
    'patched to 37',
    'refused: A precondition failed',
    'faults at /email and /age',
    'found ada of engines',
    'deleted: 204',
  ]);
});
