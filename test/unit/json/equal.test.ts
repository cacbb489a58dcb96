import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../shared/json/parse.ts';
import { type JsonValue, jsonEqual } from '../../../shared/json/value.ts';

const read = (text: string) => (parseJson(text) as { value: JsonValue }).value;

describe('RFC 6902 §4.6: equality', () => {
  test.each([
    ['1', '1', true],
    ['1', '1.0', true],
    ['1.0', '1', true],
    ['1.0', '1.00', true],
    ['1e2', '100', true],
    ['0', '-0', true],
    ['0.1', '0.10', true],
    ['12345678901234567890', '12345678901234567891', false],
    ['1', '2', false],
    ['1.0', '1.1', false],
    ['1', '"1"', false],
    ['1.0', '"1.0"', false],
    ['"1"', '1.0', false],
    ['null', 'null', true],
    ['null', 'false', false],
    ['null', '{}', false],
    ['false', '0', false],
    ['""', 'null', false],
    ['1.0', 'null', false],
    ['1.0', '{}', false],
    ['{}', '1.0', false],
    ['[]', '1.0', false],
    ['"a"', '"a"', true],
    ['"a"', '"A"', false],
    ['"\\u00e9"', '"e\\u0301"', false],
    ['"\\u0041"', '"A"', true],
    ['[]', '[]', true],
    ['[]', '{}', false],
    ['{}', '[]', false],
    ['[1,2]', '[1,2]', true],
    ['[1,2]', '[2,1]', false],
    ['[1]', '[1,2]', false],
    ['[1.0]', '[1]', true],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1,"b":2}', '{"a":1,"c":2}', false],
    ['{"a":null}', '{}', false],
    ['{"__proto__":1}', '{"__proto__":1}', true],
    ['{"__proto__":1}', '{"x":1}', false],
    ['{"toString":1}', '{"x":1}', false],
    ['[[[{"a":[1.0]}]]]', '[[[{"a":[1]}]]]', true],
  ])('%s and %s: %s', (a, b, equal) => {
    expect(jsonEqual(read(a), read(b))).toBe(equal);
    expect(jsonEqual(read(b), read(a))).toBe(equal);
  });

  test('plain objects have no inherited properties either', () => {
    expect(jsonEqual({ toString: null }, { valueOf: null })).toBe(false);
  });

  test('every value equals its copy and differs from a changed copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const a = json as JsonValue;
        expect(jsonEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true);
        expect(jsonEqual([a, 1], [a, 2])).toBe(false);
      }),
    );
  });

  test('depth uses no stack', () => {
    const deep = () => {
      let value: JsonValue = [];
      for (let i = 0; i < 200_000; i++) value = [value];
      return value;
    };
    expect(jsonEqual(deep(), deep())).toBe(true);
  });
});
