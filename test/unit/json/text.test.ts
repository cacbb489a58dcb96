import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../shared/json/parse.ts';
import { findUnwritable, isXmlText } from '../../../shared/json/text.ts';
import type { JsonValue } from '../../../shared/json/value.ts';
import { anyText } from '../../support/any-text.ts';

/** XML 1.0 §2.2 [2] Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF] */
function isChar(code: number): boolean {
  const ranges = [
    [0x9, 0xa],
    [0xd, 0xd],
    [0x20, 0xd7ff],
    [0xe000, 0xfffd],
    [0x10000, 0x10ffff],
  ];
  return ranges.some(([first = 0, last = 0]) => first <= code && code <= last);
}

describe('XML 1.0 §2.2: Char', () => {
  test('covers every code unit of the basic plane, alone', () => {
    const wrong: number[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      if (isXmlText(`a${String.fromCharCode(code)}b`) !== isChar(code)) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });
  test.each(['', 'a', '😀', '\u{10000}', '\u{10ffff}', '\u{1ffff}', '\x7f', '\x85'])('%j is text', (text) =>
    expect(isXmlText(text)).toBe(true),
  );
  test.each(['\ud83d', '\ude00', '\ude00\ud83d', 'a\ud83db', '\ud83d\ud83d\ude00'])(
    '%j has a lone surrogate',
    (text) => expect(isXmlText(text)).toBe(false),
  );
  test('any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(isXmlText(text)).toBe([...text].every((character) => isChar(character.codePointAt(0) ?? 0)));
      }),
    );
  });
});

describe('the first invalid character', () => {
  test.each([
    ['"a"', undefined],
    ['"\\u0000"', ''],
    ['[1,"a",null,true,1.0]', undefined],
    ['["a","\\u0001"]', '/1'],
    ['{"a":{"b":["x","\\ud800"]}}', '/a/b/1'],
    ['{"a/b~":"\\uffff"}', '/a~1b~0'],
    ['{"\\u0002":1}', '/\u0002'],
    ['{"a":{"\\u0002":"\\u0001"}}', '/a/\u0002'],
    ['{"__proto__":"\\u0000"}', '/__proto__'],
    ['{"a":"\\ud83d\\ude00\\t\\n"}', undefined],
  ])('%s: %j', (text, pointer) =>
    expect(findUnwritable((parseJson(text) as { value: JsonValue }).value)).toBe(pointer),
  );
});
