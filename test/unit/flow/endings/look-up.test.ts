import { expect, test } from '@jest/globals';
import { callAction } from '../../../../shared/flow/action-input.ts';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { lookUp } from '../../../../shared/flow/steps/stateful/look-up.ts';
import { replay } from '../../../../shared/flow/steps/stateful/replay.ts';
import type { Call } from '../../../../shared/resource/actions/action.ts';
import { found, foundItem } from '../../../../shared/resource/actions/outcome.ts';
import type { ItemFacts } from '../../../../shared/resource/description/description.ts';
import { text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { UnreadableItem } from '../../../../shared/resource/store-refusal.ts';
import { store } from '../../../../shared/resource/styles/store-and-binaries.ts';
import { BOOK, books, COVER, outcomeOf, understood } from '../steps/books.ts';

const looked = flow<Understood>().next(replay).next(lookUp);
const JSON_TYPE = { 'content-type': 'application/json' };
const EMMA = { body: '{"title":"Emma"}' };

const bound = {
  ...BOOK,
  values: { title: 'Emma', size: 'large' },
  binaries: { photo: { key: 'k', size: 1, mediaType: 'image/png', sha256: '' } },
} as unknown as typeof BOOK;
const open = (item: typeof BOOK) =>
  books(
    { read: () => foundItem(item) },
    {
      description: describe({ singular: 'book', open: true, fields: { title: text('Title') }, required: [] }),
    },
  );

// Specification 4.20
test.each([
  ['title,photo', bound, { status: 400, problem: 'validation-error' }],
  ['photo,title', bound, { status: 400, problem: 'validation-error' }],
  ['title,photo', BOOK, { state: { kind: 'item' } }],
  ['title,size', bound, { state: { kind: 'item' } }],
  ['photo', bound, { state: { kind: 'item' } }],
])('fields=%s of an item with binary properties', async (fields, item, expected) => {
  const start = await understood(`GET /books/7?fields=${fields}`, {}, { resource: open(item) });
  expect(await outcomeOf(looked, start)).toMatchObject(expected);
});

test('fields of a list may name binary properties of its items', async () => {
  const start = await understood('GET /books?fields=title,photo', {}, { resource: open(bound) });
  expect(await outcomeOf(looked, start)).toMatchObject({ state: { kind: 'list' } });
});

test('an error of the read of a target passes on', async () => {
  const read = () => {
    throw new TypeError('broken');
  };
  const start = await understood('PUT /books/7', JSON_TYPE, { ...EMMA, resource: books({ read }) });
  await expect(outcomeOf(looked, start)).rejects.toThrow('broken');
});

test('an unreadable item fails a read', async () => {
  const read = () => {
    throw new UnreadableItem();
  };
  const start = await understood('GET /books/7', {}, { resource: books({ read }) });
  await expect(outcomeOf(looked, start)).rejects.toThrow(UnreadableItem);
});

test('the form of a store has the version of the bytes, and its action reads the bytes', async () => {
  const bytes = found({ kind: 'bytes', bytes: COVER });
  const act = () => bytes;
  const routes = store('/s', 'name', { list: act, read: act, write: act, register: act, remove: act });
  const { GET, POST } = routes.find(({ path }) => path === '/s/{name}/delete')?.endpoints ?? {};
  const start = await understood('GET /books/7', {}, { resource: books({}) });
  if (!GET || !POST?.reads) throw new Error('The store has no form');
  expect(await callAction(GET, start)).toMatchObject({
    state: { kind: 'emptyForm', version: COVER.etag },
  });
  expect(await callAction(POST.reads, start)).toBe(bytes);
});

test.each([
  ['application/json', true],
  ['text/html', false],
])('a document is rendered for its entity tag, but not as a page: %s', async (accept, isRendered) => {
  const resource = books({ read: () => found({ kind: 'document', members: { a: 1 } }) });
  const exchange = await outcomeOf(looked, await understood('GET /books/7', { accept }, { resource }));
  expect('rendered' in exchange && exchange.rendered !== undefined).toBe(isRendered);
});

const author = { ...BOOK, id: 9, values: { name: 'Austen' } };
const authors: ItemFacts = {
  name: 'authors',
  description: describe({ singular: 'author', fields: { name: text('Name') }, required: [] }),
  links: () => [],
};

test('look-up adds related items, and the entity tag covers them', async () => {
  const read = () => foundItem({ ...BOOK, values: { title: 'Emma', authorId: 9 } });
  const relations = (version: number) => ({
    author: {
      to: authors,
      field: 'authorId',
      kind: 'one' as const,
      read: async () => ({ items: new Map([[9, { ...author, version }]]), unread: new Set<number>() }),
    },
  });
  const tagOf = async (line: string, version: number) => {
    const resource = books({ read }, { relations: relations(version) });
    const exchange = await outcomeOf(looked, await understood(line, {}, { resource }));
    return 'validators' in exchange ? exchange.validators?.etag?.opaque : undefined;
  };
  const resource = books({ read }, { relations: relations(3) });
  const start = await understood('GET /books/7?expand=author', {}, { resource });
  expect(await outcomeOf(looked, start)).toMatchObject({ expansions: [{ name: 'author' }] });
  const tag = await tagOf('GET /books/7?expand=author', 3);
  expect(await tagOf('GET /books/7?expand=author', 4)).not.toBe(tag);
  expect(await tagOf('GET /books/7', 3)).not.toBe(tag);
});

test.each([
  [['a'], 'readsNamed', { name: 'a' }],
  [['a', 'b'], 'reads', {}],
])('the preconditions of uploads %j read by %s', async (names, by, input) => {
  const inputs: [string, Call][] = [];
  const reader = (name: string) => (read: Call) => {
    inputs.push([name, read]);
    return foundItem(BOOK);
  };
  const start = await understood('POST /books', { ...JSON_TYPE, 'if-match': '*' }, EMMA);
  const endpoint = {
    ...start.endpoint,
    reads: { takes: 'item', run: reader('reads') } as const,
    readsNamed: reader('readsNamed'),
  };
  const uploads = names.map((name) => ({ name }));
  const content = { kind: 'uploads', uploads } as unknown as Understood['content'];
  expect(await outcomeOf(looked, { ...start, endpoint, content })).toMatchObject({
    lookup: { kind: 'found' },
  });
  expect(inputs).toMatchObject([[by, { ...input, now: 5000 }]]);
});

test('a write without a reader of its target reads nothing', async () => {
  const start = await understood('POST /books', { ...JSON_TYPE, 'if-match': '*' }, EMMA);
  const route = { ...start.route, endpoints: {} };
  expect(await outcomeOf(looked, { ...start, route })).toMatchObject({ lookup: undefined, state: undefined });
});

// Decision 57
test.each([
  ['PUT /books/7', ['grade'], 'found'],
  ['PUT /books/7', [], 'found'],
  ['POST /books', ['grade'], undefined],
  ['POST /books', [], undefined],
])('%s by a caller who cannot set %j reads: %s', async (line, kept, kind) => {
  const start = await understood(line, JSON_TYPE, EMMA);
  const fieldLimits = { hidden: [], kept } as unknown as Understood['fieldLimits'];
  const exchange = await outcomeOf(looked, { ...start, fieldLimits });
  expect('lookup' in exchange && exchange.lookup?.kind).toBe(kind);
});
