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

/** The fragment of a heading, as GitHub makes it. */
const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const fragmentsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => fragmentOf(heading));

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

/** Lines from which a page needs a table of contents. */
const LONG = 300;
const longPages = pages.filter(
  (page) => /^docs\/[^/]+$/.test(page) && textOf(page).split('\n').length > LONG,
);

test.each(longPages)('%s begins with links to its sections', (page) => {
  const text = textOf(page).replace(/^```[\s\S]*?^```/gm, '');
  const [before = ''] = text.split(/^## /m, 1);
  const links = [...before.matchAll(/\]\(#([^)]+)\)/g)].map(([, fragment]) => fragment);
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => fragmentOf(title));
  expect(sections.length).toBeGreaterThan(1);
  expect(sections.filter((fragment) => !links.includes(fragment))).toEqual([]);
});
