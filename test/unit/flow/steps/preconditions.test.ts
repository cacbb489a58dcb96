import { expect, test } from '@jest/globals';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { lookUp } from '../../../../shared/flow/steps/stateful/look-up.ts';
import { preconditions } from '../../../../shared/flow/steps/stateful/preconditions.ts';
import { bytes } from '../../../../shared/flow/steps/stateful/ranges-of-bytes.ts';
import { replay } from '../../../../shared/flow/steps/stateful/replay.ts';
import { books, COVER, outcomeOf, RUN, understood } from './books.ts';

const looked = flow<Understood>().next(replay).next(lookUp);
const conditional = looked.next(preconditions);
const JSON_TYPE = { 'content-type': 'application/json' };
const EMMA = { body: '{"title":"Emma"}' };

test.each([
  ['PUT /books/7', { ...JSON_TYPE, 'if-match': '"3.1-json"' }, EMMA, { kind: 'version', version: 3 }],
  ['PUT /books/7', { ...JSON_TYPE, 'if-match': '"3.1-xml"' }, EMMA, { kind: 'version', version: 3 }],
  ['PUT /books/7', JSON_TYPE, EMMA, undefined],
  ['DELETE /books/7', { 'if-match': '*' }, {}, { kind: 'version', version: 3 }],
  [
    'PUT /books/7?fields=cover',
    { 'content-type': 'image/png', 'if-match': '"cover"' },
    {},
    { kind: 'etag', etag: COVER.etag },
  ],
])('%s %j passes and leaves the condition of the write', async (line, headers, asked, expected) => {
  expect(await outcomeOf(conditional, await understood(line, headers, asked))).toMatchObject({ expected });
});

test.each([
  ['GET /books/7', { 'if-none-match': '"3.1-json"' }, {}, 304],
  ['GET /books/7', { 'if-match': '"2.1-json"' }, {}, 412],
  ['PUT /books/7', { ...JSON_TYPE, 'if-match': '"2.1-json"' }, EMMA, 412],
  ['DELETE /books', { 'if-match': '"other"' }, {}, 412],
])('%s %j ends with %i', async (line, headers, asked, status) => {
  const ending = await outcomeOf(conditional, await understood(line, headers, asked));
  expect(ending).toMatchObject({ status, headers: { ETag: expect.any(String) } });
});

test('an operation does not compare the validators of the list that it changes', async () => {
  const start = await understood('DELETE /books', { 'if-match': '"other"' }, { asOperation: RUN });
  expect(await outcomeOf(conditional, start)).toMatchObject({ expected: undefined });
});

const ranged = looked.next(bytes);
const IMAGE = 'GET /books/7?fields=cover';

test.each([
  [{ range: 'bytes=0-3' }, [{ first: 0, last: 3 }]],
  [
    { range: 'bytes=0-0,-1' },
    [
      { first: 0, last: 0 },
      { first: 9, last: 9 },
    ],
  ],
  [{ range: 'bytes=0-3', 'if-range': '"other"' }, undefined],
  [{ range: 'lines=1' }, undefined],
  [{}, undefined],
])('bytes reads the ranges of %j', async (headers, ranges) => {
  expect(await outcomeOf(ranged, await understood(IMAGE, headers))).toMatchObject({ ranges });
});

test('a range beyond the end ends with 416', async () => {
  const ending = await outcomeOf(ranged, await understood(IMAGE, { range: 'bytes=10-' }));
  expect(ending).toMatchObject({ status: 416, headers: { 'Content-Range': 'bytes */10' } });
});

test('HEAD has no ranges', async () => {
  const start = await understood('HEAD /books/7?fields=cover', { range: 'bytes=10-' });
  expect(await outcomeOf(ranged, start)).toMatchObject({ ranges: undefined });
});

/** Bytes that no response can carry. */
const large = books({
  cover: () => ({
    kind: 'found',
    state: {
      kind: 'bytes',
      bytes: { ...COVER, size: 5 * 1024 * 1024, address: async (method) => `https://s3.example/${method}` },
    },
  }),
});
test.each(['GET', 'HEAD'])('bytes leads %s of large bytes to a presigned URL', async (method) => {
  const start = await understood(`${method} /books/7?fields=cover`, {}, { resource: large });
  const headers = { Location: `https://s3.example/${method}`, 'Cache-Control': 'no-store' };
  expect(await outcomeOf(ranged, start)).toMatchObject({ status: 307, headers });
});

test('bytes lets small bytes, and a small range of large ones, pass', async () => {
  expect(await outcomeOf(ranged, await understood(IMAGE))).toMatchObject({ ranges: undefined });
  const part = await understood(IMAGE, { range: 'bytes=0-9' }, { resource: large });
  expect(await outcomeOf(ranged, part)).toMatchObject({ ranges: [{ first: 0, last: 9 }] });
});
