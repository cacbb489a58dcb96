import { expect, test } from '@jest/globals';
import type { Received } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import { ask, outcomeOf } from './books.ts';

const methods = flow<Received>().next(method);

test.each([
  ['GET /books', { endpoint: { id: 'list' }, parameters: { id: undefined } }],
  ['HEAD /books/7', { endpoint: { id: 'read' }, parameters: { id: 7, others: {} } }],
  ['GET /books/7?fields=cover', { route: { binary: { name: 'cover' } }, endpoint: { shape: 'bytes' } }],
  ['POST /shelves/1/books', { endpoint: { creates: true }, parameters: { id: 1 } }],
])('%s has a target', async (line, added) => {
  expect(await outcomeOf(methods, ask(line))).toMatchObject(added);
});

test.each([
  ['BREW /books', 501, 'not-implemented'],
  ['PUT /books/new', 405, 'method-not-allowed'],
  ['GET /books/seven', 404, 'not-found'],
  ['GET /nothing', 404, 'not-found'],
  ['PUT /books/', 404, 'not-found'],
  ['GET /books/7?fields=cover,title', 400, 'validation-error'],
])('%s ends with %i', async (line, status, problem) => {
  expect(await outcomeOf(methods, ask(line))).toMatchObject({ status, problem });
});

test('OPTIONS ends with 204 and names the methods', async () => {
  const headers = { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };
  expect(await outcomeOf(methods, ask('OPTIONS /books/7'))).toMatchObject({ status: 204, headers });
});

test('GET of a path with a final slash ends with a redirect', async () => {
  const headers = { Location: '/v1/books?limit=1' };
  expect(await outcomeOf(methods, ask('GET /books/?limit=1'))).toMatchObject({ status: 308, headers });
});

test('a malformed parameter of the path ends with 400', async () => {
  const start = ask('GET /books/7', {}, { parameters: { id: undefined } });
  expect(await outcomeOf(methods, start)).toMatchObject({ status: 400, problem: 'malformed-request' });
});
