import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The numbers of all statements, list items and rows of tables alike, in the order of the document. */
const numbers = [...read('docs/specification.md').matchAll(/^(?:- |\| )((?:[CD]|\d+)\.\d+) /gm)].map(
  ([, number = '']) => number,
);
const sectionOf = (number: string) => number.split('.')[0];
const placeOf = (number: string) => Number(number.split('.')[1]);

/** Files of the repository, and files that git does not ignore. */
const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** Numbers behind the word, such as `4.3` or `C.7`, separated by commas; a line of a comment can end between them. */
const CITATION =
  /(?<!OpenAPI )\bSpecification ((?:[CD]|\d+)\.\d+(?![.\d]*\d)(?:, (?:[CD]|\d+)\.\d+(?![.\d]*\d))*)/g;

const citationsIn = (text: string): string[] =>
  [...text.replace(/\s+(?:(?:\*|\/\/)\s+)?/g, ' ').matchAll(CITATION)].flatMap(([, cited = '']) =>
    cited.split(', '),
  );

test('numbers each statement once', () => {
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(300);
});

test('numbers the statements of each section in ascending order and together', () => {
  const sections = [...new Set(numbers.map(sectionOf))];
  expect(sections).toEqual(['C', ...Array.from({ length: 16 }, (_, section) => String(section)), 'D']);
  const ordered = numbers.toSorted(
    (a, b) => sections.indexOf(sectionOf(a)) - sections.indexOf(sectionOf(b)) || placeOf(a) - placeOf(b),
  );
  expect(numbers).toEqual(ordered);
});

test('contains every statement that code, tests and documents cite', () => {
  const cited = files.flatMap((path) => citationsIn(read(path)).map((number) => ({ path, number })));
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});

test.each([
  ['// Specification 2.7, 2.8', ['2.7', '2.8']],
  [' * Source: Specification 5.15,\n * C.7; RFC 4648 §4.', ['5.15', 'C.7']],
  ['Source: OpenAPI Specification 3.1.1 §4.8.', []],
  ['OpenAPI Specification 3.1', []],
])('finds in %j the citations %j', (text, citations) => {
  expect(citationsIn(text)).toEqual(citations);
});
