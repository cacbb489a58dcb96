import { describe, expect, test } from '@jest/globals';
import { parseDigests } from '../../../../shared/http/fields/digest.ts';
import { parseIdempotencyKey } from '../../../../shared/http/fields/idempotency-key.ts';
import { expectLinear } from '../../../support/expectations/expect-linear.ts';

describe('Specification 10.1: an idempotency key', () => {
  test.each([
    ['"x"', 'x'],
    ['"x"; p=1', 'x'],
    ['"x";p;q="y"', 'x'],
    ['"a,b"', 'a,b'],
    ['"a\\"b"', 'a"b'],
    ['"a\\\\b"', 'a\\b'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['a b;c', 'a b;c'],
  ])('%j is the key %j', (field, key) => expect(parseIdempotencyKey(field)).resolves.toBe(key));

  test.each([
    '"x" ;p=1',
    '"x";P=1',
    '"x";p=(1 2)',
    '"x"y',
    '"x", "y"',
    '"x","x"',
    '',
    '""',
    '"a',
    '"a\\"',
    '"a\\b"',
    '"\t"',
    '"ü"',
    `"${'x'.repeat(256)}"`,
  ])('%j is not a key', (field) => expect(parseIdempotencyKey(field)).resolves.toBeUndefined());
});

describe('RFC 9651 §3.2: a dictionary of digests', () => {
  test.each([
    ['sha-256=:AAAA:;p=1', [['sha-256', 'AAAA']]],
    ['a=1, sha-256=:AAAA:', [['sha-256', 'AAAA']]],
    ['unixsum=(1 2), b, sha-256=:AAAA:', [['sha-256', 'AAAA']]],
    ['sha-256=:AAAA:, sha-256=:BBBB:', [['sha-256', 'BBBB']]],
    [
      'md5=:AA==:;a="x,y";b, sha-256=:BBBB:; c=?1',
      [
        ['md5', 'AA=='],
        ['sha-256', 'BBBB'],
      ],
    ],
  ])('%j', (field, digests) => expect([...(parseDigests(field) ?? [])]).toEqual(digests));

  test.each([
    'sha-256=:AAAA: ;p',
    'sha-256=:AAAA:;',
    'sha-256=:AAAA:p',
    'sha-256=:AAAA:,',
    ',sha-256=:AAAA:',
    'sha-256=:A:',
    'sha-256=:?:',
    'sha-256=1',
    'sha-256;p=1',
    'SHA-256=:AAAA:',
  ])('%j is malformed', (field) => expect(parseDigests(field)).toBeUndefined());
});

test.each<[string, (length: number) => unknown]>([
  ['texts of parameters', (length) => parseIdempotencyKey(`"x"${';a="\\"'.repeat(length)}!`)],
  ['parameters', (length) => parseIdempotencyKey(`"x"${';a=1'.repeat(length)}!`)],
  ['spaces', (length) => parseIdempotencyKey(`"x";${' '.repeat(length)}!`)],
  ['digests', (length) => parseDigests('a=:AAAA:,'.repeat(length / 5))],
])('fields are read in linear time: %s', (_, read) => expectLinear(read));
