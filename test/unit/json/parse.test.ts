import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../shared/json/decimal.ts';
import { decodeUtf8, parseJson } from '../../../shared/json/parse.ts';
import { emptyObject, isObject } from '../../../shared/json/value.ts';
import { anyCharacter } from '../../support/any-text.ts';
import { expectLinear } from '../../support/expectations/expect-linear.ts';

/** The value of a valid text. */
function value(text: string) {
  const parsed = parseJson(text);
  if (!('value' in parsed)) throw new Error(`${parsed.fault} at ${parsed.position}`);
  return parsed.value;
}

describe('RFC 8259 §2, §3, §7: texts that are JSON', () => {
  test.each([
    'null',
    'true',
    'false',
    '0',
    '-1',
    '""',
    '"a"',
    '[]',
    '{}',
    ' [ ] ',
    '\t\r\n {"a" : 1 , "b":[true,false,null]}\n',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '"\\u0041\\u00e9\\uD83D\\uDE00"',
    '"a\\u0041b"',
    '"é€😀"',
    '"\u2028\u2029\x7f"',
    '"\\ud800"',
    '[[[]]]',
    '{"":{"":{}}}',
    '[1,"two",{"three":[3]}]',
    '123456789012345',
    '-0.5',
    '1.7976931348623157e+308',
    '"\\\\u0041"',
    '["\\n","a\\n","\\na"]',
  ])('%s', (text) => expect(value(text)).toEqual(JSON.parse(text)));

  test('agrees with JSON.parse on any JSON', () => {
    fc.assert(
      fc.property(
        fc.json({ depthSize: 'medium', stringUnit: anyCharacter }),
        fc.constantFrom(0, 1, '\t', ' \n'),
        (json, indent) => {
          const text = JSON.stringify(JSON.parse(json), undefined, indent);
          const parsed = parseJson(text);
          expect('value' in parsed).toBe(true);
          if ('value' in parsed) expect(JSON.parse(JSON.stringify(parsed.value))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('RFC 8259: invalid texts', () => {
  test.each([
    ['', 0],
    [' ', 1],
    ['nul', 0],
    ['nulll', 4],
    ['True', 0],
    ['undefined', 0],
    ['NaN', 0],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1 2]', 3],
    ['[1', 2],
    ['[', 1],
    [']', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['{,}', 1],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a":1 "b":2}', 7],
    ['{"a" 1}', 5],
    ['{1:2}', 1],
    ['"a', 2],
    ['"\n"', 1],
    ['"\0"', 1],
    ['"\\x"', 1],
    ['"\\u12"', 1],
    ['"\\u12g4"', 1],
    ['"\\', 1],
    ['1 2', 2],
    ['{} {}', 3],
    ['01', 0],
    ['-01', 0],
    ['1.', 0],
    ['.5', 0],
    ['+1', 0],
    ['-', 0],
    ['1e', 0],
    ['--1', 0],
    ['1.2.3', 0],
    ['0x10', 1],
    ['1e+-5', 0],
    ['\ufeff{}', 0],
    ['\u00a01', 0],
    ['\v1', 0],
    ['/**/1', 0],
    ['// x\n1', 0],
    ['1e99999999999999999999', 0],
  ])('%j fails at %d', (text, position) => {
    expect(parseJson(text)).toMatchObject({ kind: 'syntax', position, fault: expect.any(String) });
  });

  test('accepts exactly what JSON.parse accepts, duplicate names aside, and never throws', () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '\\',
        '1',
        '0',
        '-',
        '.',
        'e',
        '+',
        'true',
        'null',
        ' ',
        '\n',
        'u0041',
        'x',
      ),
    });
    fc.assert(
      fc.property(soup, (text) => {
        const parsed = parseJson(text);
        if ('fault' in parsed && parsed.kind === 'duplicate-name') return;
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(['value' in parsed, text]).toEqual([valid, text]);
      }),
      { numRuns: 5000 },
    );
  });

  test('the pointer shows the place', () => {
    expect(parseJson('{"a":[0,{"b/c~":tru}]}')).toMatchObject({ pointer: '/a/1/b~1c~0', position: 16 });
    expect(parseJson('[1,2,x]')).toMatchObject({ pointer: '/2' });
    expect(parseJson('x')).toMatchObject({ pointer: '' });
  });
});

describe('RFC 8259 §4: "The names within an object SHOULD be unique"', () => {
  test.each([
    ['{"a":1,"a":1}', '/a', 7],
    ['{"x":{"a":1,"b":2,"a":3}}', '/x/a', 18],
    ['[{"a":1},{"a":1,"\\u0061":2}]', '/1/a', 16],
    ['{"":1,"":2}', '/', 6],
    ['{"__proto__":1,"__proto__":2}', '/__proto__', 15],
    ['{"a/b":1,"a/b":2}', '/a~1b', 9],
  ])('%s is refused', (text, pointer, position) => {
    expect(parseJson(text)).toMatchObject({ kind: 'duplicate-name', pointer, position });
  });
  test('the same name in different objects is not a duplicate', () => {
    expect(value('[{"a":1},{"a":{"a":2}}]')).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });
});

describe('ordinary data and never a prototype:', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON'])('%s', (name) => {
    const object = value(`{"${name}":{"polluted":true}}`);
    if (!isObject(object)) throw new Error('an object');
    expect(Object.keys(object)).toEqual([name]);
    expect(Object.getPrototypeOf(object)).toBeNull();
    expect(JSON.stringify(object)).toBe(`{"${name}":{"polluted":true}}`);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('numbers keep their digits', () => {
  test.each(['0', '1', '-1', '0.1', '99.9', '1e-7', '1e+21', '9007199254740991', '123456789012345680000'])(
    '%s is a number',
    (text) => expect(value(text)).toBe(Number(text)),
  );
  test.each([
    ['-0', '0'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['99.90', '99.9'],
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740993', '9007199254740993'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['1e400', '1e400'],
    ['-1e999999999', '-1e999999999'],
  ])('%s is a Decimal', (text, canonical) => {
    const decimal = value(text);
    expect(decimal).toBeInstanceOf(Decimal);
    expect((decimal as Decimal).text).toBe(canonical);
    expect(JSON.stringify([decimal])).toBe(`[${text}]`);
  });
  test('no digit is lost on the way through', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        const back = JSON.stringify(value(text));
        expect(Decimal.parse(back)?.equals(Decimal.parse(text)!)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('RFC 8259 §9: "An implementation may set limits on the maximum depth of nesting":', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  test('64', () => {
    expect('value' in parseJson(nested(64))).toBe(true);
    expect(parseJson(nested(65))).toMatchObject({ kind: 'too-deep', position: 64, pointer: '/0'.repeat(64) });
    expect(parseJson('{"a":'.repeat(65))).toMatchObject({ kind: 'too-deep', pointer: '/a'.repeat(64) });
  });
  test('a megabyte of brackets takes little time', () => {
    expect(parseJson('['.repeat(1_000_000))).toMatchObject({ kind: 'too-deep' });
  });
  test.each<[string, (length: number) => string]>([
    ['escapes', (length) => `"${'\\u0041'.repeat(length)}"`],
    ['digits', (length) => '1'.repeat(length)],
    ['letters after a digit', (length) => `1${'e'.repeat(length)}`],
    ['a text without an end', (length) => `"${'a'.repeat(length)}`],
    ['spaces without an end', (length) => `[${' '.repeat(length)}`],
    ['zeros after a point', (length) => `0.${'0'.repeat(length)}`],
  ])('hostile texts take linear time: %s', (_, text) => expectLinear((length) => parseJson(text(length))));
});

describe('values', () => {
  test('isObject is true for JSON objects only', () => {
    expect(isObject(emptyObject())).toBe(true);
    expect(isObject({})).toBe(true);
    for (const other of [[], null, Decimal.from(1), 1, 'a', true, undefined])
      expect(isObject(other)).toBe(false);
    expect(Object.getPrototypeOf(emptyObject())).toBeNull();
  });
});

describe('RFC 8259 §8.1: UTF-8', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  test.each([
    [bytes(), ''],
    [bytes(0x7b, 0x7d), '{}'],
    [bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d), '{}'], // "MAY ignore the presence of a byte order mark"
    [bytes(0x31, 0xef, 0xbb, 0xbf), '1\ufeff'],
    [bytes(0xf0, 0x9f, 0x98, 0x80), '😀'],
    [bytes(0xff), undefined],
    [bytes(0xc0, 0xaf), undefined],
    [bytes(0xed, 0xa0, 0x80), undefined],
    [bytes(0xe2, 0x82), undefined],
    [bytes(0xf4, 0x90, 0x80, 0x80), undefined],
    [bytes(0x7b, 0x00, 0x7d, 0x00), '{\0}\0'],
  ])('%j is %j', (input, text) => expect(decodeUtf8(input)).toBe(text));
  test('a malformed text has no effect on the next one', () => {
    expect(decodeUtf8(bytes(0xe2, 0x82))).toBeUndefined();
    expect(decodeUtf8(bytes(0xac))).toBeUndefined();
    expect(decodeUtf8(bytes(0x61))).toBe('a');
  });
});
