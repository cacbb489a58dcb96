import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { command } from '../support/command.ts';
import { address, create, underTestAlone } from '../support/under-test.ts';

const TOUR = join(import.meta.dirname, '../../examples/client/tour.ts');

underTestAlone();

test('the example client runs without its generated types', async () => {
  for (const username of ['one', 'two', 'three']) await create('/members', { username });
  const { stdout } = await command(process.execPath, [TOUR, address()]);
  expect(stdout.toString().trimEnd().split('\n')).toEqual([
    'created ada',
    'patched to 37',
    'refused: A precondition failed',
    'faults at /email and /age',
    'found ada of engines',
    'deleted: 204',
  ]);
});
