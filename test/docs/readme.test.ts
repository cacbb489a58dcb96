import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { address, underTestAlone } from '../support/under-test.ts';

underTestAlone();

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const BASE = 'http://127.0.0.1:3000';
const SEPARATOR = '\u001e';

/** Commands of the README in order, each with the output below it. `…` in an output matches any text. */
const shown = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [, command = '', output = ''] = /^((?:.*[\\|]\n)*.*)\n([\s\S]*)$/.exec(text) ?? [];
      return { command, output: output.trim() };
    }),
);

const unwrapped = (text: string): string => text.replaceAll('\r', '').replace(/\n\s*/g, '');

const patternOf = (output: string): RegExp =>
  new RegExp(
    `^${unwrapped(output)
      .split('…')
      .map((part) => part.replace(/[^\w\s]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

const there = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0);

test('the README shows seven requests', () => {
  expect(shown.filter(({ command }) => command.includes('curl '))).toHaveLength(7);
});

test('the modules that the example of the README imports exist', () => {
  const paths = [...readme.matchAll(/from '\.\.\/\.\.\/(shared\/[^']+)'/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([]);
});

/** As a reader pastes them: one shell keeps the variables. */
(there ? test : test.skip)(
  'the requests of the README print what it shows',
  async () => {
    const script = shown
      .map(({ command }) => `${command.replaceAll(BASE, address())}\nprintf '${SEPARATOR}'`)
      .join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const printed = stdout.split(SEPARATOR);
    for (const [at, { output }] of shown.entries()) {
      expect(unwrapped(printed[at] as string)).toMatch(patternOf(output));
    }
  },
  20_000,
);
