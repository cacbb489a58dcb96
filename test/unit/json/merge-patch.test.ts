import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../shared/json/parse.ts';
import { mergePatch } from '../../../shared/json/patch.ts';
import { type JsonValue, jsonEqual } from '../../../shared/json/value.ts';

const read = (text: string) => (parseJson(text) as { value: JsonValue }).value;

describe('RFC 7396 appendix A', () => {
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s is %s', (target, patch, result) => {
    const [before, by] = [read(target), read(patch)];
    expect(JSON.stringify(mergePatch(before, by))).toBe(result);
    expect([JSON.stringify(before), JSON.stringify(by)]).toEqual([target, patch]);
  });
});

describe('RFC 7396 §2', () => {
  test('a missing target becomes an object', () => {
    expect(JSON.stringify(mergePatch(undefined, read('{"a":1,"b":null}')))).toBe('{"a":1}');
    expect(mergePatch(undefined, 5)).toBe(5);
  });
  test('null inside an array is a value', () => expect(mergePatch({}, { a: [null] })).toEqual({ a: [null] }));
  test('exact numbers are values, not objects', () => {
    expect(JSON.stringify(mergePatch(read('{"a":1.50,"b":{"c":1}}'), read('{"b":2.0,"d":99.90}')))).toBe(
      '{"a":1.50,"b":2.0,"d":99.90}',
    );
    expect(JSON.stringify(mergePatch(read('{"a":1.50}'), read('{"a":{"b":1}}')))).toBe('{"a":{"b":1}}');
  });
  test('__proto__ and constructor are ordinary names', () => {
    const merged = mergePatch(
      read('{"a":1}'),
      read('{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}'),
    );
    expect(JSON.stringify(merged)).toBe('{"a":1,"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}');
    expect(Object.getPrototypeOf(merged)).toBeNull();
    expect(Reflect.get({}, 'x')).toBeUndefined();
    expect(JSON.stringify(mergePatch(merged, read('{"__proto__":null,"constructor":null}')))).toBe('{"a":1}');
  });

  /** The pseudocode of §2, word for word, over plain objects. */
  function pseudocode(target: unknown, patch: unknown): unknown {
    const object = (v: unknown) => typeof v === 'object' && v !== null && !Array.isArray(v);
    if (!object(patch)) return patch;
    const result = new Map(object(target) ? Object.entries(target as object) : []);
    for (const [name, value] of Object.entries(patch as object)) {
      if (value === null) result.delete(name);
      else result.set(name, pseudocode(result.get(name), value));
    }
    return Object.fromEntries(result);
  }
  test('gives the result of the pseudocode and changes neither argument', () => {
    const names = fc.constantFrom('a', 'b', '__proto__', 'toString');
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 1, 'x'),
        fc.array(fc.constantFrom(null, 2), { maxLength: 2 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const [target, patch] = [read(JSON.stringify(a)), read(JSON.stringify(b))];
        const merged = mergePatch(target, patch);
        expect(jsonEqual(merged, pseudocode(a, b) as JsonValue)).toBe(true);
        expect([JSON.stringify(target), JSON.stringify(patch)]).toEqual([
          JSON.stringify(a),
          JSON.stringify(b),
        ]);
      }),
      { numRuns: 500 },
    );
  });
});
