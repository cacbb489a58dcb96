import { expect, test } from '@jest/globals';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { acceptable } from '../../../../shared/flow/steps/stateful/acceptable.ts';
import { lookUp } from '../../../../shared/flow/steps/stateful/look-up.ts';
import { replay } from '../../../../shared/flow/steps/stateful/replay.ts';
import { listed } from '../../../../shared/resource/actions/outcome.ts';
import { UnreadableItem } from '../../../../shared/resource/store-refusal.ts';
import { BOOK, books, outcomeOf, understood } from './books.ts';

const looked = flow<Understood>().next(replay).next(lookUp);
const JSON_TYPE = { 'content-type': 'application/json' };
const EMMA = { body: '{"title":"Emma"}' };

test.each([
  ['GET /books/7', {}, {}],
  ['PUT /books/7', { ...JSON_TYPE, 'if-match': '"3"' }, EMMA],
  ['PUT /books/7', JSON_TYPE, EMMA],
  ['POST /books/7', JSON_TYPE, EMMA],
])('%s reads the item', async (line, headers, asked) => {
  const exchange = await outcomeOf(looked, await understood(line, headers, asked));
  expect(exchange).toMatchObject({
    lookup: { kind: 'found' },
    state: { kind: 'item', item: BOOK },
    validators: { etag: { opaque: '3.1-json' }, lastModified: 1000 },
    rendered: undefined,
  });
});

test.each([
  ['POST /books', JSON_TYPE, EMMA],
  ['DELETE /books/7', {}, {}],
])('%s without preconditions reads nothing', async (line, headers, asked) => {
  const exchange = await outcomeOf(looked, await understood(line, headers, asked));
  expect(exchange).toMatchObject({ lookup: undefined, state: undefined });
});

test('PUT without preconditions leaves an item of unknown form to the write', async () => {
  const resource = books({
    read: () => {
      throw new UnreadableItem();
    },
  });
  const start = await understood('PUT /books/7', JSON_TYPE, { ...EMMA, resource });
  expect(await outcomeOf(looked, start)).toMatchObject({ lookup: undefined, state: undefined });
});

test('GET of a list renders the list, because its text decides the entity tag', async () => {
  const exchange = await outcomeOf(looked, await understood('GET /books'));
  expect(exchange).toMatchObject({ state: { kind: 'list' }, rendered: { document: { kind: 'list' } } });
});

test('an exact number of items is an applied preference', async () => {
  const resource = books({ list: () => listed({ items: [], total: 0 }) });
  const start = await understood('GET /books', { prefer: 'count=exact' }, { resource });
  expect(await outcomeOf(looked, start)).toMatchObject({ applied: ['count=exact'] });
});

test.each([
  ['GET /books/8', {}, {}],
  ['POST /shelves/2/books', JSON_TYPE, { body: '{}' }],
  ['POST /shelves/2/books', { ...JSON_TYPE, accept: 'image/png' }, EMMA],
])('%s %j ends with 404, because the target or its parent is missing', async (line, headers, asked) => {
  expect(await outcomeOf(looked, await understood(line, headers, asked))).toMatchObject({ status: 404 });
});

test('the refusal of the content ends the request if the parent exists', async () => {
  const start = await understood('POST /shelves/1/books', JSON_TYPE, { body: '{}' });
  expect(await outcomeOf(looked, start)).toMatchObject({ status: 400, problem: 'validation-error' });
});

test('an offset that is too large ends with 400', async () => {
  const position = { key: new Uint8Array([1]), id: 1, backwards: true };
  const resource = books({ list: () => ({ kind: 'offsetTooLarge', position, offset: 9000 }) });
  expect(await outcomeOf(looked, await understood('GET /books', {}, { resource }))).toMatchObject({
    status: 400,
  });
});

test('acceptable ends with the 406, unless the read was refused', async () => {
  const all = looked.next(acceptable);
  const headers = { accept: 'image/png' };
  expect(await outcomeOf(all, await understood('GET /books/7', headers))).toMatchObject({ status: 406 });
  const problem = { name: 'conflict', detail: 'Not now' } as const;
  const resource = books({ read: () => ({ kind: 'refused', problem }) });
  const refused = await understood('GET /books/7', headers, { resource });
  expect(await outcomeOf(all, refused)).toMatchObject({ lookup: { kind: 'refused' } });
});
