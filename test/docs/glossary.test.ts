import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const page = readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8');
const words = [...page.matchAll(/^- \*\*([^.*]+)/gm)].map(([, word = '']) => word.toLowerCase());

test('the glossary has each word once, in the order of the alphabet', () => {
  expect(words.length).toBeGreaterThan(50);
  expect(words).toEqual([...new Set(words)].sort());
});
