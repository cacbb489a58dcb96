import { expect, test } from '@jest/globals';
import { isTest, linesWith, sources } from '../sources.ts';
import { weaknessesOf } from './weaknesses.ts';

/*
 * Biome has no rule for this. The rule of eslint-plugin-jest, expect-expect, would need ESLint and a parser of
 * TypeScript, and does not know empty loops.
 */
test('no test can pass without an expectation', () => {
  const modules = sources
    .filter(isTest)
    .filter(({ path, text }) => path.endsWith('.test.ts') || text.includes('expect'));
  expect(modules.length).toBeGreaterThan(300);
  expect(modules.flatMap(({ path, text }) => weaknessesOf(path, text))).toEqual([]);
});

test('one module skips tests, because it prints the reason', () => {
  const modules = sources
    .filter(isTest)
    .filter(({ path }) => path !== 'test/support/skips/describe-unless.ts');
  expect(modules.flatMap((one) => linesWith(one, /\b(?:test|describe)\.(?:skip|todo|only)\b/))).toEqual([]);
});

const EMPTY = 'a loop of expectations can be empty';
const SKIPPED = 'can pass without an expectation';

test.each([
  ['without any', 'read();', ['has no expectation']],
  ['in a helper of another name', 'check(read());', ['has no expectation']],
  ['behind a condition', 'if (isOpen) expect(read()).toBe(1);', [SKIPPED]],
  ['behind &&', 'isOpen && expect(read()).toBe(1);', [SKIPPED]],
  ['in a handler of errors', 'try { read(); } catch (error) { expect(error).toBe(1); }', [SKIPPED]],
  ['in a loop', 'for (const one of read()) expect(one).toBe(1);', [SKIPPED, EMPTY]],
  ['in a callback', 'read().forEach((one) => expect(one).toBe(1));', [SKIPPED, EMPTY]],
  ['in one loop of two', 'expect(1).toBe(1); for (const one of read()) expect(one).toBe(1);', [EMPTY]],
  ['over an empty array', 'for (const one of []) expect(one).toBe(1);', [SKIPPED, EMPTY]],
])('finds a test with expectations %s', (_, body, weaknesses) => {
  const found = weaknessesOf('here', `test('it', () => { ${body} });`);
  expect(found).toEqual(weaknesses.map((one) => `here:1: ${one}`));
});

test.each([
  ['a helper', 'expectOpen(read());'],
  ['a property', 'fc.assert(fc.property(numbers, (all) => all.forEach((one) => expect(one).toBe(1))));'],
  ['both branches', 'if (isOpen) expect(read()).toBe(1); else expect(read()).toBe(2);'],
  ['a constant array', "const ALL = ['a', 'b']; for (const one of ALL) expect(one).toBe(1);"],
  ['the entries of an object', 'for (const [one] of Object.entries({ a: 1 })) expect(one).toBe(1);'],
  [
    'a length',
    'const all = read(); expect(all).toHaveLength(2); for (const one of all) expect(one).toBe(1);',
  ],
  ['atLeastOne', 'for (const one of atLeastOne(read())) expect(one).toBe(1);'],
])('accepts expectations by %s', (_, body) => {
  expect(weaknessesOf('here', `test('it', () => { ${body} });`)).toEqual([]);
});

test('finds a helper that expects nothing', () => {
  expect(weaknessesOf('here', 'const expectOpen = (text) => text;')).toEqual(['here:1: has no expectation']);
});
