import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/**
 * All statements, list items and rows of tables alike, in the order of the document. `isPlanned`: the service does not
 * meet the statement, or a part of it.
 */
const statements = read('docs/specification.md')
  .split(/\n(?=- |\||#|\n)/)
  .flatMap((text) => {
    const number = /^\n?(?:- |\| )((?:[CD]|\d+)\.\d+) /.exec(text)?.[1];
    return number === undefined ? [] : [{ number, isPlanned: text.includes('(planned') }];
  });
const numbers = statements.map(({ number }) => number);
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

/**
 * Numbers behind the word, such as `4.3` or `C.7`. Commas, "and" and "to" separate them, and a line of a comment can end
 * between them.
 */
const NUMBER = String.raw`(?:[CD]|\d+)\.\d+(?![.\d]*\d)`;
const CITATION = new RegExp(
  String.raw`(?<!OpenAPI )\bSpecification (${NUMBER}(?:(?:, | and | to )${NUMBER})*)`,
  'g',
);

/** The numbers that a text cites. `5.1 to 5.3` cites three. */
function citationsIn(text: string): string[] {
  const citations = [...text.replace(/\s+(?:(?:\*|\/\/)\s+)?/g, ' ').matchAll(CITATION)];
  return citations.flatMap(([, cited = '']) =>
    cited.split(/, | and /).flatMap((part) => {
      const [first = '', last = first] = part.split(' to ');
      const count = placeOf(last) - placeOf(first) + 1;
      return Array.from({ length: count }, (_, at) => `${sectionOf(first)}.${placeOf(first) + at}`);
    }),
  );
}

test('numbers each statement once', () => {
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(300);
});

test('numbers the statements of each section in ascending order and together', () => {
  const sections = [...new Set(numbers.map(sectionOf))];
  expect(sections).toEqual(['C', ...Array.from({ length: 24 }, (_, section) => String(section)), 'D']);
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

/** Statements that no test of the service can show, each with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['C.18', 'C.37', 'C.38', 'C.43', 'C.45', 'C.126', 'C.129', 'C.130', 'C.133', 'C.134', 'C.135'].map(
      (number) => [number, 'leaves a question open, and names the statement that decides it'],
    ),
  ),
  '0.1': 'ranks the sections of the document',
  '0.2': 'is a purpose: the tests of section C show it',
  '0.3': 'is a rule for authors',
  '0.4': 'explains citations and signs',
  '0.5': 'defines words',
};

test('a test cites each statement that the service meets', () => {
  const tests = files.filter((path) => path.startsWith('test/') && !path.endsWith('specification.test.ts'));
  const cited = new Set(tests.flatMap((path) => citationsIn(read(path))));
  const unshown = statements.filter(
    ({ number, isPlanned }) => !isPlanned && !cited.has(number) && !Object.hasOwn(EXEMPT, number),
  );
  expect(
    unshown.map(
      ({ number }) => `Write "Specification ${number}" above a test that shows statement ${number}`,
    ),
  ).toEqual([]);
  expect(Object.keys(EXEMPT).filter((number) => cited.has(number) || !numbers.includes(number))).toEqual([]);
});

test.each([
  ['// Specification 2.7, 2.8', ['2.7', '2.8']],
  [' * Source: Specification 5.15,\n * C.7; RFC 4648 §4.', ['5.15', 'C.7']],
  ['Specification 5.1 to 5.3 and 6.2.', ['5.1', '5.2', '5.3', '6.2']],
  ['Source: OpenAPI Specification 3.1.1 §4.8.', []],
  ['OpenAPI Specification 3.1', []],
])('finds in %j the citations %j', (text, citations) => {
  expect(citationsIn(text)).toEqual(citations);
});
