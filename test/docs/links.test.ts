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

test.each(pages)('every relative link of %s leads somewhere', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(
    ([, target]) => target ?? '',
  );
  const lost = links.filter(
    (target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(page), target)),
  );
  expect(lost).toEqual([]);
});
