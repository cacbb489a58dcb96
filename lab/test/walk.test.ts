import { expect, test } from '@jest/globals';
import { instrument } from '../walk/instrument.ts';
import { lengthOf, returnsIn } from '../walk/measured.ts';

/** Runs instrumented JavaScript. Returns its result and the number of function entries. */
function run(code: string): { result: unknown; entries: number } {
  let entries = 0;
  const hook = { enterFunction: () => (entries += 1) };
  const result = new Function('globalThis', instrument(code, 'here').replace('export default', 'return'))(
    hook,
  );
  return { result, entries };
}

test.each([
  ['a function', 'function f() { return 1; } export default f();', 1, 1],
  ['an arrow function with a block', 'const f = () => { return 1; }; export default f();', 1, 1],
  ['an arrow function with an expression', 'const f = (a) => a + 1; export default f(1);', 2, 1],
  ['an arrow function with an object', 'const f = () => ({ a: 1 }); export default f().a;', 1, 1],
  ['arrow functions of arrow functions', 'const f = (a) => (b) => a + b; export default f(1)(2);', 3, 2],
  [
    'a method, a getter and a constructor',
    'class A { constructor() { this.a = 1; } get b() { return this.a; } c() { return this.b; } } export default new A().c();',
    1,
    3,
  ],
  ['a callback', 'export default [1, 2].map((one) => one * 2).length;', 2, 2],
  ['a default of a parameter', 'function f(a = () => 3) { return a(); } export default f();', 3, 2],
])('counts %s', (_about, code, result, entries) => {
  expect(run(code)).toEqual({ result, entries });
});

test.each([
  ['a', 1, 0, 0],
  ['aaab', 2, 1, 0],
  ['abab', 2, 3, 2],
  ['abcba', 3, 4, 2],
])('measures the way %p', (way, files, moves, returns) => {
  expect(lengthOf({ entries: [...way] })).toEqual({ entries: way.length, files, moves, returns });
});

test('lists the returns, the most frequent first', () => {
  const entries = [...'abacab'];
  const places = entries.map((path) => `${path}:1`);
  expect(returnsIn({ entries, places })).toEqual(['1 a:1 after b', '1 a:1 after c', '1 b:1 after a']);
  expect(returnsIn({ entries: [...'ababa'], places: [...'ababa'] })).toEqual(['2 a after b', '1 b after a']);
});
