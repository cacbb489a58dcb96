import { expect, test } from '@jest/globals';
import type { Received } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import { negotiate } from '../../../../shared/flow/steps/pure/negotiate.ts';
import { preferences } from '../../../../shared/flow/steps/pure/preferences.ts';
import { query } from '../../../../shared/flow/steps/pure/query.ts';
import { ask, outcomeOf } from './books.ts';

const preferred = flow<Received>().next(method).next(preferences);
const selected = preferred.next(negotiate).next(query);
const negotiated = flow<Received>().next(method).next(negotiate);

test.each([
  ['max-affected=3', { maximum: 3, applied: ['max-affected=3'] }],
  ['max-affected=x, handling=lenient', { maximum: undefined, applied: [] }],
  ['return=minimal', { maximum: undefined, applied: [] }],
])('preferences reads %s', async (prefer, added) => {
  expect(await outcomeOf(preferred, ask('DELETE /books', { prefer }))).toMatchObject(added);
});

test('preferences refuses a limit that is not a number', async () => {
  const start = ask('DELETE /books', { prefer: 'max-affected=many' });
  expect(await outcomeOf(preferred, start)).toMatchObject({ status: 400, problem: 'validation-error' });
});

test.each([
  [
    'GET /books',
    '',
    {
      page: { limit: 100, offset: 0, sortOrder: [{ field: 'id', descending: false }] },
      fields: undefined,
      applied: [],
    },
  ],
  ['GET /books?limit=2&offset=4', 'count=exact', { page: { limit: 2, offset: 4, count: true } }],
  ['GET /books/7?fields=title', '', { fields: new Set(['title']) }],
  ['GET /books?nonsense=1', '', { page: { limit: 100 }, pendingRefusal: undefined }],
  ['PUT /books/7?nonsense=1', '', { pendingRefusal: undefined }],
  ['POST /books?nonsense=1&nonsense=2', '', { pendingRefusal: undefined }],
  ['GET /books', 'handling=strict', { applied: ['handling=strict'] }],
])('query reads %s', async (line, prefer, added) => {
  expect(await outcomeOf(selected, ask(line, { prefer }))).toMatchObject(added);
});

test.each([
  ['GET /books?nonsense=1', 'handling=strict'],
  ['GET /books?limit=1&limit=2', ''],
  ['GET /books?sort=colour', ''],
  ['GET /books/7?fields=colour', ''],
  ['DELETE /books?title=Emma', ''],
  ['DELETE /books/7?nonsense=1', ''],
  ['PUT /books?nonsense=1', ''],
  ['PUT /books/7?nonsense=1', 'handling=strict'],
])('query refuses %s', async (line, prefer) => {
  expect(await outcomeOf(selected, ask(line, { prefer }))).toMatchObject({ status: 400 });
});

test('query leaves the refusal to look-up if the parent may be missing', async () => {
  const pendingRefusal = { ending: { status: 400 }, parent: expect.any(Function) };
  const start = ask('POST /shelves/2/books?nonsense=1', { prefer: 'handling=strict' });
  const exchange = await outcomeOf(selected, start);
  expect(exchange).toMatchObject({ pendingRefusal });
});

test.each([
  ['GET /books/7', undefined, 'application/json'],
  ['GET /books/7', 'application/xml', 'application/xml'],
  ['GET /books/new', '*/*', 'text/html'],
  ['GET /books/7?fields=cover', 'image/png', 'application/json'],
  ['DELETE /books/7', 'image/png', 'application/json'],
])('negotiate chooses a representation for %s and %s', async (line, accept, mediaType) => {
  const representation = expect.objectContaining({ mediaType });
  const exchange = await outcomeOf(negotiated, ask(line, { accept }));
  expect(exchange).toMatchObject({ representation, notAcceptable: undefined });
});

test('negotiate leaves a 406 if no representation is acceptable', async () => {
  const exchange = await outcomeOf(negotiated, ask('GET /books/7', { accept: 'image/png' }));
  expect(exchange).toMatchObject({ notAcceptable: { status: 406 } });
});
