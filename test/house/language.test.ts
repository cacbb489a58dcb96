import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sources } from './sources.ts';

const ROOT = join(import.meta.dirname, '../..');

test('no source cites a document that is not in the repository', () => {
  const others = sources.filter(({ path }) => path !== 'test/house/language.test.ts');
  const cited = others.flatMap(({ path, text }) =>
    /Source: (?:conventions|decisions)\b|\bdecisions §/i.test(text) ? [path] : [],
  );
  const named = others.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([document]) => ({ path, document })),
  );
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(({ document }) => !existsSync(join(ROOT, document)));
  expect([...cited, ...missing]).toEqual([]);
});
