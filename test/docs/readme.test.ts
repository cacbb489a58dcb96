import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DocumentCommand, differences } from '../support/document-commands.ts';
import { newService, type Service } from '../support/service/service.ts';
import { describeUnless, missing } from '../support/skips/describe-unless.ts';

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Each block of commands, and the output below it. */
const [start, ...shown]: readonly DocumentCommand[] = [
  ...readme.matchAll(/^```sh\n([\s\S]*?)^```\n(?:```(?:json|xml)?\n([\s\S]*?)^```\n)?/gm),
].map(([, command = '', output = '']) => ({ command: command.trim(), output: output.trim() }));

test.each([
  ['README.md', 150],
  ['ARCHITECTURE.md', 260],
])('%s has at most %d lines', (page, limit) => {
  expect(readFileSync(join(ROOT, page), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(limit);
});

test('the README begins with commands that work in a clone', () => {
  expect(start?.command).toMatch(/^npm ci && npm start -- --seed\b/);
  expect(shown.length).toBeGreaterThan(6);
});

/** Names, texts, numbers and brackets, without commas. */
const tokens = (code: string): readonly string[] => code.match(/'[^']*'|\w+|[^\s\w,]/g) ?? [];

test('the README shows a part of functions/orders.ts', () => {
  const [, block = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const [name, ...lines] = block.split('\n');
  expect(name).toContain('functions/orders.ts');
  expect(() => stripTypeScriptTypes(block)).not.toThrow();
  const source = tokens(readFileSync(join(ROOT, 'functions/orders.ts'), 'utf8'));
  let at = 0;
  const added = tokens(lines.join('\n')).filter((token) => {
    const found = source.indexOf(token, at);
    if (found >= 0) at = found + 1;
    return found < 0;
  });
  expect(added).toEqual([]);
});

/** As a reader pastes them: one shell keeps the variables, in the folder of the project. */
describeUnless(missing('bash', 'curl'), 'pasted', () => {
  let service: Service;
  beforeAll(async () => {
    service = await newService(['--seed']);
  }, 40_000);
  afterAll(() => service.stop());

  test('the commands of the README print what it shows', async () => {
    expect(await differences(shown, service.url, ROOT)).toEqual([]);
  }, 20_000);
});
