import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type DocumentCommand, differences } from '../support/document-commands.ts';
import { address, underTestAlone } from '../support/service/under-test.ts';
import { describeUnless, missing } from '../support/skips/describe-unless.ts';

underTestAlone();

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

const requests = readme.slice(readme.indexOf('## Six requests'), readme.indexOf('## Features'));

/** Each command that the section shows, and the answer below it. */
const shown: DocumentCommand[] = [
  ...requests.matchAll(/^```sh\n([\s\S]*?)^```\n(?:```(?:json|xml)\n([\s\S]*?)^```\n)?/gm),
].map(([, command = '', output = '']) => ({ command: command.trim(), output: output.trim() }));

test('the README shows six requests that can be pasted', () => {
  expect(shown.filter(({ command }) => command.includes('curl -sS '))).toHaveLength(6);
  expect(shown.filter(({ command }) => command.startsWith('$ '))).toEqual([]);
});

/** As a reader pastes them: one shell keeps the variables. */
describeUnless(missing('bash', 'curl'), 'pasted', () => {
  test('the requests of the README print what it shows', async () => {
    expect(await differences(shown, address())).toEqual([]);
  }, 20_000);
});
