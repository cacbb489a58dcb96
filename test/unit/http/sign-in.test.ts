import { expect, test } from '@jest/globals';
import { pairsOf, withQuery } from '../../../shared/http/paths.ts';
import { isForPerson, reliesOnCookie, signInHref } from '../../../shared/http/sign-in.ts';

const PRINCIPAL = { subject: 'ada', scopes: [] };
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

test.each([
  [{ accept: HTML }, true],
  [{ accept: 'text/html' }, true],
  [{ accept: 'application/json' }, false],
  [{ accept: '*/*' }, false],
  [{ accept: 'text/html;q=0.5, application/json' }, false],
  [{ accept: 'image/png' }, false],
  [{ accept: HTML, authorization: 'Bearer x' }, false],
  [{}, false],
])('a browser that shows a page sent %j: %s', (headers, expected) => {
  expect(isForPerson(headers)).toBe(expected);
});

test.each([
  [{ principal: PRINCIPAL, headers: {} }, true],
  [{ principal: PRINCIPAL, headers: { authorization: 'Bearer x' } }, false],
  [{ headers: {} }, false],
])('%j relies on the cookie: %s', (request, expected) => expect(reliesOnCookie(request)).toBe(expected));

test.each([
  ['/v1', '/books', '/v1/sign-in?to=%2Fv1%2Fbooks'],
  ['', '/books?a=1&b=2', '/sign-in?to=%2Fbooks%3Fa%3D1%26b%3D2'],
  ['', '', '/sign-in?to=%2F'],
])('the sign-in below %j leads back to %j', (basePath, path, href) => {
  expect(signInHref(basePath, path)).toBe(href);
});

test.each([
  [new Map(), '/books'],
  [
    new Map([
      ['a', ['1', '2']],
      ['b', ['x y']],
    ]),
    '/books?a=1&a=2&b=x+y',
  ],
])('the address of a request', (query, address) => {
  expect(withQuery('/books', pairsOf(query))).toBe(address);
});
