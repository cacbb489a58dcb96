import { expect, test } from '@jest/globals';
import type { Received } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { authorize } from '../../../../shared/flow/steps/pure/authorize.ts';
import { crossSite } from '../../../../shared/flow/steps/pure/cross-site.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import { ask, books, outcomeOf } from './books.ts';

const authorized = flow<Received>().next(method).next(authorize);
const caller = (...scopes: string[]) => ({ principal: { subject: 'ada', scopes } });

test.each([
  ['an open service', {}],
  ['a caller with the scope', { isClosed: true, ...caller('books:read') }],
])('authorize lets %s pass', async (_who, asked) => {
  expect(await outcomeOf(authorized, ask('GET /books', {}, asked))).toHaveProperty('endpoint');
});

test.each([
  ['an unknown caller', { isClosed: true }, 401],
  ['a caller without the scope', { isClosed: true, ...caller('books:write') }, 403],
])('authorize refuses %s', async (_who, asked, status) => {
  expect(await outcomeOf(authorized, ask('GET /books', {}, asked))).toMatchObject({ status });
});

test('authorize lets an unknown caller use an open route', async () => {
  const { routes } = books();
  const resource = books({}, { routes: routes.map((route) => ({ ...route, access: 'open' })) });
  const start = ask('GET /books', {}, { isClosed: true, resource });
  expect(await outcomeOf(authorized, start)).toHaveProperty('endpoint');
});

const sites = flow<Received>().next(method).next(crossSite);
const FORM = { 'content-type': 'application/x-www-form-urlencoded', host: 'api.example' };

test.each([
  ['of this site', { ...FORM, 'sec-fetch-site': 'same-origin' }],
  ['of a client that is not a browser', FORM],
  ['of this origin', { ...FORM, origin: 'https://api.example' }],
  ['that needs a preflight', { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' }],
])('crossSite lets a POST %s pass', async (_which, headers) => {
  expect(await outcomeOf(sites, ask('POST /books', headers))).toHaveProperty('request');
});

test.each([
  ['of another site', { ...FORM, 'sec-fetch-site': 'cross-site' }],
  ['of a sibling domain', { ...FORM, 'sec-fetch-site': 'same-site' }],
  ['of another origin', { ...FORM, origin: 'https://other.example' }],
  ['of an opaque origin', { ...FORM, origin: 'null' }],
])('crossSite refuses a form %s', async (_which, headers) => {
  expect(await outcomeOf(sites, ask('POST /books', headers))).toMatchObject({ status: 403 });
});
