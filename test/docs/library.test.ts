import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atLeastOne } from '../support/expectations/at-least-one.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Returns lines without the indentation of the first one. */
const aligned = (lines: readonly string[]): string => {
  const depth = lines[0]?.search(/\S/) ?? 0;
  return lines.map((line) => line.slice(Math.min(depth, Math.max(line.search(/\S/), 0)))).join('\n');
};

/** Returns the blocks of code in a guide: the language, and the lines without the indentation of a list. */
const blocksOf = (path: string) =>
  [...text(path).matchAll(/^( *)```(ts|js)\n([\s\S]*?)^\1```$/gm)].map(([, , language, body = '']) => ({
    language,
    lines: aligned(body.trimEnd().split('\n')).split('\n'),
  }));

const blocks = blocksOf('docs/resources.md');

test.each(['docs/resources.md', 'AGENTS.md'])(
  'each part of the lending library in %s is as in its file',
  (guide) => {
    const parts = blocksOf(guide).filter(({ lines }) => lines[0]?.startsWith('// examples/'));
    for (const { lines } of atLeastOne(parts)) {
      const [first = '', ...part] = lines;
      const file = text(first.slice(3)).split('\n');
      const found = file.map((_, at) => aligned(file.slice(at, at + part.length)));
      expect(found).toContain(part.join('\n'));
    }
  },
);

test('each whole file of the guide has its path, and is as in the lending library', () => {
  const files = blocks.filter(({ language }) => language === 'ts');
  for (const { lines } of atLeastOne(files))
    expect(lines[0]).toMatch(/^\/\/ (?:(?:functions|test)\/\S+|cdk)\.ts$/);
  const written = files.map(({ lines: [first = '', ...rest] }) => ({
    path: `examples/library/${first.slice(3)}`,
    text: `${rest.join('\n')}\n`,
  }));
  const inLibrary = written.filter(({ path }) => existsSync(join(ROOT, path)));
  expect(inLibrary.length).toBeGreaterThan(6);
  expect(inLibrary).toEqual(inLibrary.map(({ path }) => ({ path, text: text(path) })));
});

test('the definitions of the lending library have at most 150 lines', () => {
  const files = globSync('examples/library/functions/*.ts', { cwd: ROOT });
  const lines = files.flatMap((path) => text(path).trimEnd().split('\n'));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.length).toBeLessThanOrEqual(150);
});
