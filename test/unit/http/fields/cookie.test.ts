import { describe, expect, test } from '@jest/globals';
import { cookiesOf, formatCookie } from '../../../../shared/http/fields/cookie.ts';

describe('RFC 6265 §4.2: Cookie', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['SID=31d4d96e407aad42', [['SID', '31d4d96e407aad42']]],
    [
      'SID=31d4d96e407aad42; lang=en-US',
      [
        ['SID', '31d4d96e407aad42'],
        ['lang', 'en-US'],
      ],
    ],
    [
      'a=1;b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1; \t b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['a=', [['a', '']]],
    ['a b=1', [['a b', '1']]],
    ['a =1', [['a ', '1']]],
    ['\u00a0a=1', [['\u00a0a', '1']]],
    ['a=1; b=2; a=3', [['b', '2']]],
    ['a=1; a=2; a=3', []],
  ])('%j', (field, cookies) => expect([...cookiesOf(field)]).toEqual(cookies));

  test('a pair without a name or a value is not a cookie', () => {
    expect([...cookiesOf('=1;a')]).toEqual([]);
  });
});

describe('RFC 6265 §4.1: Set-Cookie', () => {
  test.each([
    [{ name: 'a', value: '1', path: '/' }, 'a=1; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [
      { name: 'a', value: '1', path: '/x', seconds: 5.9 },
      'a=1; Path=/x; Max-Age=5; HttpOnly; Secure; SameSite=Lax',
    ],
    [
      { name: 'a', value: '', path: '/', seconds: 5 },
      'a=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    ],
  ])('%j', (cookie, field) => expect(formatCookie(cookie)).toBe(field));
});
