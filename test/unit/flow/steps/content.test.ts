import { expect, test } from '@jest/globals';
import type { Received } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { authorize } from '../../../../shared/flow/steps/pure/authorize.ts';
import { content } from '../../../../shared/flow/steps/pure/content.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import { negotiate } from '../../../../shared/flow/steps/pure/negotiate.ts';
import { preferences } from '../../../../shared/flow/steps/pure/preferences.ts';
import { query } from '../../../../shared/flow/steps/pure/query.ts';
import { ask, outcomeOf } from './books.ts';

const contents = flow<Received>()
  .next(method)
  .next(authorize)
  .next(preferences)
  .next(negotiate)
  .next(query)
  .next(content);
const sent = (line: string, type: string, body?: string, more = {}) =>
  outcomeOf(contents, ask(line, { 'content-type': type, ...more }, { body }));

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const EMMA = '{"title":"Emma"}';

test.each([
  ['GET /books', JSON_TYPE, EMMA, { kind: 'none' }],
  ['POST /books', JSON_TYPE, EMMA, { kind: 'item', values: { title: 'Emma' } }],
  [
    'POST /books',
    JSON_TYPE,
    `[${EMMA}]`,
    { kind: 'items', elements: [{ pointer: '/0', values: { title: 'Emma' } }] },
  ],
  ['POST /books/7', JSON_TYPE, EMMA, { kind: 'change', partial: { title: 'Emma' }, cleared: [] }],
  ['PUT /books/7?fields=cover', 'image/png', 'x', { kind: 'bytes', sent: { mediaType: 'image/png' } }],
  ['POST /books/7/delete', JSON_TYPE, undefined, { kind: 'none' }],
  ['POST /books/new', FORM, 'title=Emma', { kind: 'item', values: { title: 'Emma' } }],
  ['POST /books/7/edit', FORM, 'title=', { kind: 'change', partial: {}, cleared: ['title'] }],
])('%s with %s reads the content', async (line, type, body, expected) => {
  expect(await sent(line, type, body)).toMatchObject({ content: expected, pendingRefusal: undefined });
});

test.each([
  ['POST /books', JSON_TYPE, '{', 400],
  ['POST /books', JSON_TYPE, '{}', 400],
  ['POST /books', JSON_TYPE, '[]', 400],
  ['POST /books', 'text/calendar', 'Emma', 415],
  ['PUT /books/7', JSON_TYPE, '{"id":8,"title":"Emma"}', 400],
  ['PUT /books/7?fields=cover', 'text/plain', 'x', 415],
  ['POST /books', JSON_TYPE, `"${'x'.repeat(1_000_000)}"`, 413],
])('%s with unusable %s ends the request', async (line, type, body, status) => {
  expect(await sent(line, type, body)).toMatchObject({ status });
});

test.each(['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'])(
  'RFC 9110 §13.1: %s alone is a precondition',
  async (name) => {
    const given = await sent('DELETE /books/7', JSON_TYPE, undefined, { [name.toLowerCase()]: '*' });
    expect(given).toMatchObject({
      preconditions: { [name[0]?.toLowerCase() + name.slice(1).replaceAll('-', '')]: '*' },
    });
    expect(await sent('DELETE /books/7', JSON_TYPE)).toMatchObject({ preconditions: undefined });
  },
);

test.each([
  ['a malformed If-Match', { 'if-match': 'unquoted' }, 400],
  ['a content coding', { 'content-encoding': 'br' }, 415],
  ['another digest', { 'content-digest': 'sha-256=:AAAA:' }, 400],
])('%s ends the request', async (_what, headers, status) => {
  expect(await sent('POST /books', JSON_TYPE, EMMA, headers)).toMatchObject({ status });
});

test('the version in a form acts as If-Match, unless the request has the field', async () => {
  const body = `title=Emma&${encodeURIComponent(':if-match')}=${encodeURIComponent('"3"')}`;
  expect(await sent('POST /books/7/edit', FORM, body)).toMatchObject({ preconditions: { ifMatch: '"3"' } });
  const exchange = await sent('POST /books/7/edit', FORM, body, { 'if-match': '"4"' });
  expect(exchange).toMatchObject({ preconditions: { ifMatch: '"4"' } });
});

test('handling=lenient leaves faulty items to the action, and is applied', async () => {
  const exchange = await sent('POST /books', JSON_TYPE, '[{}]', { prefer: 'handling=lenient' });
  const elements = [{ problem: { name: 'validation-error' } }];
  expect(exchange).toMatchObject({ content: { kind: 'items', elements }, applied: ['handling=lenient'] });
});

test('the content of a new item below a parent is refused after the parent is read', async () => {
  const exchange = await sent('POST /shelves/2/books', JSON_TYPE, '{}');
  expect(exchange).toMatchObject({
    content: { kind: 'none' },
    pendingRefusal: { ending: { status: 400 }, parent: expect.any(Function) },
  });
});
