import { describe, expect, test } from '@jest/globals';
import { parseDigests } from '../../../../shared/http/fields/digest.ts';
import { parseIdempotencyKey } from '../../../../shared/http/fields/idempotency-key.ts';
import { areParameters } from '../../../../shared/http/fields/structured-field.ts';
import { finishes } from '../../../support/finishes.ts';

describe('RFC 9651 §3.1.2: parameters', () => {
  test.each([
    '',
    ';a',
    ';  a',
    ';a;b',
    ';a=1;*b_.-*9=-1.5',
    ';a="x;\\"y\\\\"',
    ';a=tok:en/!',
    ';a=*t',
    ';a=:aGk=:',
    ';a=?0;b=?1',
    ';a=@-1659578233',
    ';a=%"f%c3%bc"',
    ';a=1;a=2',
    ';a=123456789012345;b=123456789012.123',
  ])('%j', (text) => expect(areParameters(text)).toBe(true));

  test.each([
    ' ;a',
    ';',
    ';a ',
    ';a;',
    ';A',
    ';1',
    ';a=',
    ';a =1',
    ';a= 1',
    ';\ta',
    'a=1',
    ';a="x',
    ';a="\\x"',
    ';a="\t"',
    ';a=1.',
    ';a=1.1234',
    ';a=1234567890123456',
    ';a=?2',
    ';a=:?:',
    ';a=@1.5',
    ';a=%"%C3"',
    ';a=(1 2)',
    ', b',
  ])('%j are not parameters', (text) => expect(areParameters(text)).toBe(false));

  test('are read in linear time', () =>
    finishes(() => {
      areParameters(`${';a="\\"'.repeat(200_000)}!`);
      areParameters(`${';a=1'.repeat(200_000)}!`);
      areParameters(`;${' '.repeat(500_000)}!`);
    }));
});

describe('RFC 9651 §3.3: an item', () => {
  test.each([
    ['"x"', 'x'],
    ['"x"; p=1', 'x'],
    ['"x";p;q="y"', 'x'],
    ['"a,b"', 'a,b'],
    ['"a\\"b"', 'a"b'],
    ['"a\\\\b"', 'a\\b'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['a b;c', 'a b;c'],
  ])('%j is the key %j', (field, key) => expect(parseIdempotencyKey(field)).toBe(key));

  test.each(['"x" ;p=1', '"x";P=1', '"x"y', '"x", "y"', '"x","x"', ''])('%j is not a key', (field) =>
    expect(parseIdempotencyKey(field)).toBeUndefined(),
  );
});

describe('RFC 9651 §3.3.3: in a string', () => {
  const characters = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
  const others = characters.filter((character) => character !== '"' && character !== '\\');

  test('a backslash escapes a quote and a backslash', () => {
    expect(parseIdempotencyKey('"a\\"\\\\b"')).toBe('a"\\b');
  });

  test.each(others)('a backslash before %j makes a key malformed', (character) =>
    expect(parseIdempotencyKey(`"a\\${character}b"`)).toBeUndefined(),
  );

  test.each(['"a', '"a\\"', '"\t"', '"ü"'])('%j is malformed', (field) =>
    expect(parseIdempotencyKey(field)).toBeUndefined(),
  );
});

describe('RFC 9651 §3.2: a dictionary', () => {
  test.each([
    ['sha-256=:AAAA:;p=1', [['sha-256', 'AAAA']]],
    [
      'md5=:AA==:;a="x,y";b, sha-256=:BBBB:; c=?1',
      [
        ['md5', 'AA=='],
        ['sha-256', 'BBBB'],
      ],
    ],
  ])('%j', (field, digests) => expect([...(parseDigests(field) ?? [])]).toEqual(digests));

  test.each(['sha-256=:AAAA: ;p', 'sha-256=:AAAA:;', 'sha-256=:AAAA:p', 'sha-256;p=1'])(
    '%j is malformed',
    (field) => expect(parseDigests(field)).toBeUndefined(),
  );
});
