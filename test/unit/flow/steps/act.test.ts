import { expect, test } from '@jest/globals';
import { answer, STATEFUL } from '../../../../shared/flow/answer.ts';
import type { Call, ReplaceCall } from '../../../../shared/resource/actions/action.ts';
import type { Deferral } from '../../../../shared/resource/actions/capabilities.ts';
import { foundItem, type Outcome, replaced, stale } from '../../../../shared/resource/actions/outcome.ts';
import { ask, BOOK, books, COVER, outcomeOf, understood } from './books.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const TITLE = { body: '{"title":"Persuasion"}' };

test.each([
  ['GET /books/7', {}, {}, { kind: 'found', state: { kind: 'item', item: BOOK } }],
  ['POST /books', JSON_TYPE, TITLE, { kind: 'created', location: '/books/8' }],
  ['PUT /books/7', JSON_TYPE, TITLE, { kind: 'replaced', location: '/books/7' }],
  ['POST /books', JSON_TYPE, { body: `[${TITLE.body}]` }, { kind: 'several' }],
  ['DELETE /books/7', {}, {}, { kind: 'done' }],
])('%s has the outcome of its action', async (line, headers, asked, outcome) => {
  expect(await outcomeOf(STATEFUL, await understood(line, headers, asked))).toMatchObject({ outcome });
});

test('a change merges the values and sends the version that look-up read', async () => {
  const inputs: ReplaceCall[] = [];
  const replace = (input: ReplaceCall): Outcome => {
    inputs.push(input);
    return { kind: 'stale' };
  };
  const start = await understood('POST /books/7', JSON_TYPE, { ...TITLE, resource: books({ replace }) });
  expect(await outcomeOf(STATEFUL, start)).toMatchObject({ outcome: { kind: 'stale' } });
  expect(inputs).toMatchObject([
    { values: { title: 'Persuasion' }, expected: { kind: 'version', version: 3 }, current: BOOK },
  ]);
});

test('a stale write looks up again and sends the new version', async () => {
  const versions: ReplaceCall['expected'][] = [];
  const read = () => foundItem({ ...BOOK, version: 3 + versions.length });
  const replace = ({ expected }: ReplaceCall): Outcome =>
    versions.push(expected) < 3 ? stale : replaced(BOOK, '/books/7');
  const start = ask('POST /books/7', JSON_TYPE, { ...TITLE, resource: books({ read, replace }) });
  expect(await answer(start.resource, start.request)).toMatchObject({ status: 200 });
  expect(versions).toEqual([3, 4, 5].map((version) => ({ kind: 'version', version })));
});

test('a change that changes nothing writes nothing', async () => {
  const start = await understood('POST /books/7', JSON_TYPE, {
    body: '{"title":"Emma"}',
    resource: books({ replace: () => ({ kind: 'missing' }) }),
  });
  const outcome = { kind: 'found', state: { kind: 'item', item: BOOK } };
  expect(await outcomeOf(STATEFUL, start)).toMatchObject({ outcome });
});

test.each([
  [{ kind: 'missing' }, 404],
  [{ kind: 'refused', problem: { name: 'conflict', detail: 'In use' } }, 409],
] as const)('the outcome %j ends with %i', async (outcome, status) => {
  const start = await understood('DELETE /books/7', {}, { resource: books({ remove: () => outcome }) });
  expect(await outcomeOf(STATEFUL, start)).toMatchObject({ status });
});

const IMAGE = 'GET /books/7?fields=cover';

test('GET of bytes reads the whole or the ranges', async () => {
  expect(await outcomeOf(STATEFUL, await understood(IMAGE))).toMatchObject({
    bytes: { kind: 'whole', bytes: Buffer.from('0123456789') },
  });
  expect(await outcomeOf(STATEFUL, await understood(IMAGE, { range: 'bytes=2-4' }))).toMatchObject({
    bytes: { kind: 'ranges', parts: [{ range: { first: 2, last: 4 }, bytes: Buffer.from('234') }] },
  });
});

test('bytes that were replaced after look-up are stale', async () => {
  const bytes = { ...COVER, read: async () => undefined };
  const resource = books({ cover: () => ({ kind: 'found', state: { kind: 'bytes', bytes } }) });
  const exchange = await outcomeOf(STATEFUL, await understood(IMAGE, {}, { resource }));
  expect(exchange).toMatchObject({ outcome: { kind: 'stale' } });
});

/** A resource whose requests become operations. */
const deferring = (accept: Deferral['accept']) => ({
  deferral: { accept, waitForEnd: async () => accepted },
});

const accepted = {
  kind: 'accepted',
  of: books(),
  item: BOOK,
  location: '/operations/1',
  retryAfter: 1,
} as const;

test.each([
  ['DELETE /books/7', { prefer: 'respond-async' }, ['respond-async']],
  ['PUT /books', JSON_TYPE, []],
])('%s %j becomes an operation', async (line, headers, applied) => {
  const resource = books(
    {},
    deferring(async () => accepted),
  );
  const start = await understood(line, headers, { resource, body: '[{"id":7,"title":"Emma"}]' });
  expect(await outcomeOf(STATEFUL, start)).toMatchObject({ outcome: accepted, applied });
});

test('the recorded answer names the applied preference', async () => {
  const answers: unknown[] = [];
  const defer = async ({ idempotency }: Call) => {
    answers.push(await idempotency?.answer(accepted));
    return accepted;
  };
  const headers = { ...JSON_TYPE, prefer: 'respond-async', 'idempotency-key': '"k"' };
  const start = await understood('POST /books', headers, { ...TITLE, resource: books({}, deferring(defer)) });
  await outcomeOf(STATEFUL, start);
  expect(answers).toMatchObject([{ status: 202, headers: { 'Preference-Applied': 'respond-async' } }]);
});

// Specification 5.13
test('HEAD of many bytes has their number in Content-Length, and no body', async () => {
  const size = 5 * 1024 * 1024;
  const cover = (): Outcome => ({ kind: 'found', state: { kind: 'bytes', bytes: { ...COVER, size } } });
  const { resource, request } = ask(
    'HEAD /books/7?fields=cover',
    {},
    { resource: books({ cover }), keepsContentLength: true },
  );
  const { status, headers, body } = await answer(resource, request);
  expect([status, headers['Content-Length'], body]).toEqual([200, String(size), undefined]);
});

// Specification 5.14
test('HEAD of bytes has a body of their size that no storage was read for', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return Buffer.from('0123456789');
  };
  const cover = (): Outcome => ({ kind: 'found', state: { kind: 'bytes', bytes: { ...COVER, read } } });
  const { resource, request } = ask('HEAD /books/7?fields=cover', {}, { resource: books({ cover }) });
  const { status, body } = await answer(resource, request);
  expect([status, body, reads]).toEqual([200, new Uint8Array(10), 0]);
});
