import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { expect, test } from '@jest/globals';
import { analyse } from 'scslre';
import { below } from './sources.ts';

/** A regular expression of the project and its place. */
interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions of modules that run in the service. */
const LITERALS = below('shared', 'pages', 'functions', 'local', 'engines', 'infra').flatMap(
  ({ path, text }) =>
    (parse(text, { sourceType: 'module', plugins: ['typescript'], tokens: true }).tokens ?? []).flatMap(
      ({ type, value, loc }): Expression[] =>
        type.label === 'regexp'
          ? [{ place: `${path}:${loc.start.line}`, source: value.pattern, flags: value.flags }]
          : [],
    ),
);

/** The patterns of properties, parameters and header fields. The service checks values with most of them. */
function patterns(): Expression[] {
  const found = new Set<string>();
  JSON.parse(readFileSync('docs/openapi.json', 'utf8'), (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') found.add(value);
    return value;
  });
  return [...found].map((source) => ({ place: 'docs/openapi.json', source, flags: 'u' }));
}

/** Expressions whose time grows faster than the text. Source: CWE-1333. */
const slow = (expressions: readonly Expression[]): string[] =>
  expressions
    .filter(({ source, flags }) => analyse({ source, flags }).reports.length > 0)
    .map(({ place, source, flags }) => `${place}: /${source}/${flags}`);

test('the time of each regular expression grows no faster than the text', () => {
  expect(LITERALS.length).toBeGreaterThan(100);
  expect(slow([...LITERALS, ...patterns()])).toEqual([]);
});

test.each([
  ['a name and a value between spaces', String.raw`^\s*([^:\s]+)\s*:\s*(.*?)\s*$`],
  ['characters at the end', String.raw`\/+$`],
  ['nested repetitions', '^(a+)+$'],
])('finds an expression for %s', (_, source) => {
  expect(slow([{ place: 'here', source, flags: '' }])).toHaveLength(1);
});
