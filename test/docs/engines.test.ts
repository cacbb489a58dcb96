import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DIFFERENCES } from '../support/differences.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/engines.md'), 'utf8');

test.each(Object.entries(DIFFERENCES))(
  'docs/engines.md says: %s',
  (_difference, { engines, instead, documented }) => {
    expect(page).toContain(`| ${engines.join(', ')} | ${instead} | ${documented} |`);
  },
);

test('and of no other difference', () => {
  const rows = page.match(/^\| (?:dynamodb-local|versitygw|elasticmq)\b.*$/gm) ?? [];
  expect(rows).toHaveLength(Object.keys(DIFFERENCES).length);
});
