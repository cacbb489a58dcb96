import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pendingCookies, refreshTokenOf, signedInCookies } from '../../functions/signin/cookies.ts';
import { destination } from '../../functions/signin/destination.ts';
import { seal, unseal } from '../../shared/authorization/seal.ts';
import { cookiesOf, formatCookie } from '../../shared/http/fields/cookie.ts';
import { isForPerson } from '../../shared/http/sign-in.ts';

describe('the address after a sign-in', () => {
  // Specification 11.10
  test.each([
    '/',
    '/members',
    '/members?limit=5&sort=-name',
    '/files/a%20b%2Fc.txt',
    '/x?to=https://evil.example',
  ])('is %s', (to) => expect(destination(to, '')).toBe(to));

  test('is below the base path', () => {
    expect(destination('/v1/members', '/v1')).toBe('/v1/members');
    for (const to of ['/members', '/v2/members', '/v1/../v2', '/v12', '/v1/sign-in', '/v1/sign-out/x'])
      expect(destination(to, '/v1')).toBeUndefined();
  });

  test('has the origin of the service, whatever the text is', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '/',
        '\\',
        '//',
        '.',
        '..',
        '@',
        ':',
        '%2f',
        '%5c',
        '%09',
        '\t',
        '\n',
        ' ',
        '?',
        '#',
        'https:',
      ),
      fc.constantFrom('evil.example', 'javascript:alert(1)', 'data:', '[::1]', '。', '／', '\u0000', 'x'),
      fc.string({ maxLength: 3 }),
    );
    const texts = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`);
    const urls = fc
      .tuple(fc.constantFrom('http', 'https'), fc.domain(), texts)
      .map(([scheme, host, path]) => `${scheme}://${host}${path}`);
    fc.assert(
      fc.property(fc.oneof(texts, fc.string(), urls), (to) => {
        const address = destination(to, '');
        if (address === undefined) return;
        for (const base of ['https://api.example/', 'https://api.example/a/b?c'])
          expect(new URL(address, base).origin).toBe('https://api.example');
        expect(address).toMatch(/^\/(?![/\\])/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('cookies', () => {
  test.each([
    [undefined, {}],
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1; b=x=y;c=', { a: '1', b: 'x=y', c: '' }],
    ['a=1, b=2', { a: '1, b=2' }],
    ['=1; nothing; \t a=1', { a: '1' }],
    // Another host of the domain can set these cookies. A browser stores them, because their names have no prefix.
    [
      'y=1,__Host-access=theirs; __Host-access=ours',
      { y: '1,__Host-access=theirs', '__Host-access': 'ours' },
    ],
    [
      '\u00a0__Host-access=theirs; __Host-access=ours',
      { '\u00a0__Host-access': 'theirs', '__Host-access': 'ours' },
    ],
    // The service cannot know which one it has set.
    ['a=1; b=2; a=1', { b: '2' }],
    ['a=1; a=2; a=3', {}],
  ])('reads %j', (field, cookies) => {
    expect([...cookiesOf(field)]).toEqual(Object.entries(cookies));
  });

  test('no script reads a cookie, and no form of another site sends it', () => {
    expect(formatCookie({ name: '__Host-a', value: 'b', path: '/', seconds: 60 })).toBe(
      '__Host-a=b; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax',
    );
    expect(formatCookie({ name: 'a', value: 'b', path: '/', seconds: 59.5 })).toContain('; Max-Age=59;');
    expect(formatCookie({ name: '__Secure-a', value: '', path: '/sign-in' })).toBe(
      '__Secure-a=; Path=/sign-in; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    );
  });
});

describe('the cookies of a person', () => {
  const named = (all: readonly string[] | undefined) => all?.map((one) => one.replace(/=.*/, ''));
  const removed = (all: readonly string[] | undefined) =>
    named(all?.filter((one) => one.includes('Max-Age=0')));
  const signedIn = { access: 'token', seconds: 60 };

  test('have both tokens, and a digest of the refresh token that every request carries', () => {
    const all = signedInCookies({ ...signedIn, refresh: 'again', person: 'Ada' }, '/v1');
    expect(named(all)).toEqual([
      '__Host-access!v1',
      '__Secure-refresh',
      '__Host-renewal!v1',
      '__Host-person!v1',
    ]);
    expect(all?.[1]).toContain('; Path=/v1/sign-in;');
    expect(removed(all)).toEqual([]);
  });

  test('belong to one of the deployments on a host', () => {
    const all = signedInCookies({ ...signedIn, refresh: 'again', person: 'Ada' }, '/shop') ?? [];
    const sent = cookiesOf(all.map((one) => one.replace(/;.*/, '')).join('; '));
    expect(refreshTokenOf(sent, '/shop')).toBe('again');
    for (const other of ['', '/shop/v2']) expect(refreshTokenOf(sent, other)).toBeUndefined();
  });

  test('lose the refresh token of the person before, after a sign-in without one', () => {
    const all = signedInCookies({ ...signedIn, refresh: undefined, person: 'Bob' }, '');
    expect(removed(all)).toEqual(['__Secure-refresh', '__Host-renewal']);
  });

  test('keep the refresh token after a renewal without a new one', () => {
    const all = signedInCookies({ ...signedIn, refresh: undefined, person: undefined }, '');
    expect(named(all)).toEqual(['__Host-access']);
  });

  // RFC 6265 §6.1
  test('are none if a browser would drop one of them', () => {
    const long = { ...signedIn, access: 'x'.repeat(4096), refresh: undefined, person: undefined };
    expect(signedInCookies(long, '')).toBeUndefined();
  });

  // API Gateway accepts 10,240 bytes of header fields.
  test('are none if they are too long together', () => {
    const together = (length: number) =>
      signedInCookies(
        { access: 'a'.repeat(length), seconds: 60, refresh: 'r'.repeat(length), person: undefined },
        '',
      );
    expect(together(2500)).toHaveLength(3);
    expect(together(3000)).toBeUndefined();
  });
});

describe('the cookies of pending sign-ins', () => {
  const state = (letter: string) => letter.repeat(43);
  const pending = (letters: readonly string[], length: number) =>
    letters.map((letter): [string, string] => [`__Host-sign-in-${state(letter)}`, 's'.repeat(length)]);

  test.each([
    ['all fit', pending(['a', 'b'], 800), []],
    ['they are too long together', pending(['a', 'b', 'c'], 1400), ['a']],
    [
      'the tokens leave little room',
      [...pending(['a', 'b'], 800), ['__Host-access', 't'.repeat(5900)] as const],
      ['a'],
    ],
  ])('end the oldest ones: %s', (_, before, ended) => {
    const [added, ...removed] = pendingCookies(state('z'), 's'.repeat(500), new Map(before), '');
    expect(added).toMatch(/^__Host-sign-in-z{43}=s{500}; Path=\/; Max-Age=600;/);
    expect(removed.map((one) => one.slice(0, one.indexOf('=')))).toEqual(
      ended.map((letter) => `__Host-sign-in-${state(letter)}`),
    );
  });
});

describe('a sealed cookie', () => {
  test('opens with the same key only', async () => {
    const text = await seal({ state: 's' }, 'key', 60);
    expect(await unseal(text, 'key')).toMatchObject({ state: 's' });
    expect(await unseal(text, 'other')).toBeUndefined();
    expect(await unseal(`${text.slice(0, -2)}AA`, 'key')).toBeUndefined();
    expect(await unseal('no token', 'key')).toBeUndefined();
    expect(text).toMatch(/^[\w.-]+$/);
  });

  test('is valid for a limited time', async () => {
    expect(await unseal(await seal({ state: 's' }, 'key', -1), 'key')).toBeUndefined();
  });
});

// Specification 11.8
test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', undefined, true],
  ['text/html', undefined, true],
  ['text/html', 'Bearer x', false],
  ['*/*', undefined, false],
  [undefined, undefined, false],
  ['application/json, text/html;q=0.9', undefined, false],
  ['image/avif,image/webp,*/*;q=0.8', undefined, false],
])(
  'Accept %s with Authorization %s is a browser that wants a page: %s',
  (accept, authorization, expected) => {
    expect(isForPerson({ accept, authorization })).toBe(expected);
  },
);
