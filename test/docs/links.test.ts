import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The fragments of the headings of a page, as GitHub makes them. */
const fragmentsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('every relative link of %s leads to a file and to a heading of it', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g)];
  const lost = links.filter(([, target = '', fragment]) => {
    if (/^[a-z]+:/.test(target)) return false;
    const path = target === '' ? page : join(dirname(page), target);
    if (!existsSync(join(root, path))) return true;
    return fragment !== undefined && path.endsWith('.md') && !fragmentsOf(path).includes(fragment);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});
