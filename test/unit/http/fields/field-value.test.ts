import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isFieldValue,
  listMembers,
  quotedString,
  quotedStringEnd,
  trimWhitespace,
  unquote,
} from '../../../../shared/http/fields/field-value.ts';
import { anyText } from '../../../support/any-text.ts';
import { expectLinear } from '../../../support/expectations/expect-linear.ts';

describe('RFC 9110 §5.5: "Field values containing CR, LF, or NUL characters are invalid and dangerous"', () => {
  test.each(['a\rb', 'a\nb', 'a\0b', '\r\n', 'a\x1bb', 'a\x7f', ' a', 'a ', '\ta', 'é€'])(
    '%j is not a field value',
    (text) => expect(isFieldValue(text)).toBe(false),
  );
  test.each(['', 'a', 'a b', 'a\tb', 'caf\xe9', '"q"', '!~'])('%j is a field value', (text) =>
    expect(isFieldValue(text)).toBe(true),
  );
});

describe('RFC 9110 §5.6.4: quoted-string', () => {
  test.each([
    ['', '""'],
    ['plain', '"plain"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['back\\slash', String.raw`"back\\slash"`],
    ['tab\there', '"tab\there"'],
    ['[brackets]', '"[brackets]"'],
    ['a\r\nSet-Cookie: x', '"a  Set-Cookie: x"'],
    ['a\0', '"a "'],
    ['caf\xe9', '"caf\xe9"'],
    ['€😀', '"??"'],
  ])('%j becomes %j', (text, quoted) => expect(quotedString(text)).toBe(quoted));

  test('is always a field value, and reads back if it can be encoded', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const quoted = quotedString(text);
        expect(isFieldValue(quoted)).toBe(true);
        expect(quotedStringEnd(quoted, 0)).toBe(quoted.length);
        if (isFieldValue(`x${text}x`)) expect(unquote(quoted)).toBe(text);
      }),
    );
  });

  test.each(['"', '"a', '"a\\', '"a\\"', '"\n"', '"\\\n"', '"\x7f"'])(
    '%j is not closed or not allowed',
    (text) => expect(quotedStringEnd(text, 0)).toBe(-1),
  );
});

describe('RFC 9110 §5.6.1: lists', () => {
  test.each([
    ['foo,bar', ['foo', 'bar']],
    ['foo ,bar,', ['foo', 'bar']],
    ['foo , ,bar,charlie', ['foo', 'bar', 'charlie']],
    ['', []],
    [',', []],
    [',   ,', []],
    ['"a,b", c', ['"a,b"', 'c']],
    [String.raw`"a\",b",c`, [String.raw`"a\",b"`, 'c']],
    ['"open, b', ['"open, b']],
    ['a="', ['a="']],
    ['a="\\', ['a="\\']],
    ['\ta\t,\tb', ['a', 'b']],
    ['a;q="x,y";z, b', ['a;q="x,y";z', 'b']],
  ])('%j', (field, members) => expect(listMembers(field)).toEqual(members));

  test('never throws, loses no character but commas and whitespace, and is linear', async () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\\', ' ', ';', '\t') }), (field) => {
        const members = listMembers(field);
        const bare = (text: string) => text.replace(/[, \t]/g, '');
        expect(bare(members.join(''))).toBe(bare(field));
        for (const member of members) expect(trimWhitespace(member)).toBe(member);
      }),
    );
    for (const part of ['"\\', ' ', ',']) await expectLinear((length) => listMembers(part.repeat(length)));
  });

  test('whitespace is SP and HTAB only (§5.6.3)', () => {
    expect(trimWhitespace(' \ta\t ')).toBe('a');
    expect(trimWhitespace('\u00a0a\u00a0')).toBe('\u00a0a\u00a0');
  });
});
