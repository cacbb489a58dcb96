import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isGenerated, sources } from './sources.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Words of sentences without an actor, or with a clause as a subject. Some uses are right, so the rule is a count. */
const WORDS = /\b(?:told|tells|whoever|nobody|somebody|stands|besides|lest|(?<!there )is none)\b/i;

/** This module names the words. */
const OWN = 'test/house/language.test.ts';

/** Lines with such a word. The number may only become smaller. */
const MOST_LINES = 0;

const documents = ['.', 'docs', 'docs/decisions']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

test('comments, messages, titles and documents are in plain English', () => {
  const modules = sources.filter((one) => !isGenerated(one) && one.path !== OWN);
  const lines = [...modules, ...documents].flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (WORDS.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(lines.slice(MOST_LINES)).toEqual([]);
});

test('no source cites a document that is not in the repository', () => {
  const cited = sources
    .filter(({ path }) => path !== OWN)
    .flatMap(({ path, text }) =>
      /Source: (?:conventions|decisions)\b|\bdecisions §/i.test(text) ? [path] : [],
    );
  expect(cited).toEqual([]);
});
