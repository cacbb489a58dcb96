import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { documents } from '../house/documents.ts';
import { sources } from '../house/sources.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/decisions');

const records = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const numberOf = (record: string) => Number(record.slice(0, 4));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test.each(records)('the title of %s has its number, and the record has its parts', (record) => {
  const text = textOf(`docs/decisions/${record}`);
  expect(text).toMatch(new RegExp(`^# ${numberOf(record)}\\. `));
  for (const part of atLeastOne(['Status:', 'Context.', 'Decision.'])) expect(text).toContain(`**${part}**`);
});

test('the index links each record once, by its number', () => {
  const links = [...textOf('docs/decisions/README.md').matchAll(/\[(\d+)\]\((\d{4}[\w-]+\.md)\)/g)];
  expect(links.map(([, , record]) => record).sort()).toEqual([...records].sort());
  for (const [, number, record = ''] of atLeastOne(links)) expect(Number(number)).toBe(numberOf(record));
});

/** The numbers after "decision", "decisions" and "Decision", also in links and lists: "decisions 4 and [22](…)". */
function cited(text: string): readonly number[] {
  const NUMBER = /\[?(\d+)\]?(?:\([^)]*\))?/.source;
  const lists = text.matchAll(
    new RegExp(`\\b[Dd]ecisions?[\\s*/]+${NUMBER}(?:(?:,| and)\\s+${NUMBER})*`, 'g'),
  );
  return [...lists].flatMap(([list]) => [...list.replace(/\([^)]*\)/g, '').matchAll(/\d+/g)].map(number));
}

const number = ([digits]: RegExpMatchArray) => Number(digits);

/** The decisions that a record took over: "Includes decisions 28 (typed steps) and 29 (endpoints)." */
const included = new Set(
  records
    .flatMap(
      (record) => /\bIncludes decisions? ([^.]*)\./.exec(textOf(`docs/decisions/${record}`))?.[1] ?? [],
    )
    .flatMap((list) => [...list.matchAll(/\d+/g)].map(number)),
);

test('each decision that a source or a document cites has a record', () => {
  const existing = new Set(records.map(numberOf));
  const citations = [...documents, ...sources]
    .filter(({ path }) => path !== 'CHANGELOG.md' && path !== 'test/docs/decisions.test.ts')
    .flatMap(({ path, text }) => cited(text).map((decision) => ({ path, decision })));
  expect(citations.length).toBeGreaterThan(60);
  const lost = citations.filter(
    ({ path, decision }) =>
      !existing.has(decision) && !(path.startsWith('docs/decisions/') && included.has(decision)),
  );
  expect(lost).toEqual([]);
});

test('no decision is both a record and a part of another one', () => {
  expect(included.size).toBeGreaterThan(20);
  expect(records.map(numberOf).filter((decision) => included.has(decision))).toEqual([]);
});
