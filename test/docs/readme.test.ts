import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandsOf, expectPrinted } from '../support/document-commands.ts';
import { address, underTestAlone } from '../support/service/under-test.ts';

underTestAlone();

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

const shown = commandsOf(readme);

const there = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0);

test('the README shows seven requests', () => {
  expect(shown.filter(({ command }) => command.includes('curl '))).toHaveLength(7);
});

/** As a reader pastes them: one shell keeps the variables. */
(there ? test : test.skip)(
  'the requests of the README print what it shows',
  async () => {
    await expectPrinted(shown, address());
  },
  20_000,
);
