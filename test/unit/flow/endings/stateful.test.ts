import { expect, test } from '@jest/globals';
import { STATEFUL } from '../../../../shared/flow/answer.ts';
import type { BytesRead, Done, KeyedRequest } from '../../../../shared/flow/exchange.ts';
import type { Request } from '../../../../shared/http/request.ts';
import type { Calls, Run } from '../../../../shared/resource/actions/action.ts';
import type { Deferral, Idempotency } from '../../../../shared/resource/actions/capabilities.ts';
import {
  done,
  found,
  foundItem,
  listed,
  missing,
  type Outcome,
} from '../../../../shared/resource/actions/outcome.ts';
import { type ask, BOOK, books, COVER, RUN, understood } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const IMAGE_TYPE = { 'content-type': 'image/png' };
const PATCH_TYPE = { 'content-type': 'application/merge-patch+json' };
const ASYNC = { prefer: 'respond-async' };
const PNG = { accept: 'image/png' };
const EMMA = { body: '{"title":"Emma"}' };
const EMPTY = { body: '{}' };
const key = (text: string) => ({ ...JSON_TYPE, 'idempotency-key': text });
const caller = (...scopes: string[]) => ({
  principal: { subject: 'ada', scopes: ['books:read', 'books:write', ...scopes] },
});

const gone = { resource: books({ read: () => missing('There is no book 7') }) };
const refusing = (name: 'conflict' | 'validation-error') => {
  const refused: Run = () => ({ kind: 'refused', problem: { name, detail: 'It is lent' } });
  return { resource: books({ read: refused, remove: refused, list: refused }) };
};
const noCover = { resource: books({ cover: () => missing() }) };
const seeOther = { resource: books({ read: () => ({ ...foundItem(BOOK), seeOther: '/books/9' }) }) };
const elsewhere = { resource: books({ read: () => ({ ...foundItem(BOOK), location: '/books/7' }) }) };
const bytes = (more: object) => ({
  resource: books({ cover: () => found({ kind: 'bytes', bytes: { ...COVER, ...more } }) }),
});
const text = bytes({
  isText: true,
  mediaType: 'text/plain',
  size: 2000,
  read: async () => Buffer.from('0123456789'.repeat(200)),
});
const large = bytes({
  size: 5 * 1024 * 1024,
  address: async (method: string) => `https://s3.example/${method}`,
});
const largeHere = bytes({ size: 5 * 1024 * 1024 });
const limit = bytes({ size: 4 * 1024 * 1024, address: async () => 'https://s3.example/' });
const lost = bytes({ read: async () => undefined });
const position = { key: new Uint8Array([1]), id: 1, backwards: true };
const tooFar = { resource: books({ list: () => ({ kind: 'offsetTooLarge', position, offset: 9000 }) }) };
const counted = { resource: books({ list: () => listed({ items: [BOOK], total: 1 }) }) };
const waiting = ({ waitMs }: Calls['item']): Outcome => ({
  ...foundItem(BOOK),
  ...(waitMs === undefined ? {} : { waited: waitMs / 1000 }),
});
const waits = { resource: books({ read: waiting }) };
const tracked = { resource: books({}, { tracked: { removal: 'It removes the book.' } }) };

const accepted: Outcome = {
  kind: 'accepted',
  of: books(),
  item: BOOK,
  location: '/operations/1',
  retryAfter: 1,
};
const deferring = (ended: Outcome = accepted, deferral: Partial<Deferral> = {}) => ({
  resource: books(
    {},
    { deferral: { accept: async () => accepted, waitForEnd: async () => ended, ...deferral } as Deferral },
  ),
});
const undeferred = { resource: books({}, { deferral: false }) };
const recorded = (status: number, headers: object = {}): Outcome =>
  ({
    kind: 'answered',
    fingerprint: '',
    answer: { status, headers, body: 'recorded' },
  }) as unknown as Outcome;
/** A resource that knows the key of the request. `answered`: other facts of its record. */
const replaying = (answered: object) => {
  const idempotency: Idempotency = {
    replay: async (keyed) => ({
      kind: 'answered',
      fingerprint: (keyed as KeyedRequest).fingerprint,
      ...answered,
    }),
    record: async (_input, outcome) => outcome,
  };
  return { resource: books({}, { idempotency }) };
};

const shown = ({
  lookup,
  state,
  rendered,
  expansions,
  validators,
  expected,
  ranges,
  outcome,
  bytes,
  applied,
  resumed,
}: Done) => [
  [
    outcome.kind,
    ...(lookup ? [`read ${lookup.kind}`] : []),
    ...(state ? [state.kind] : []),
    ...(rendered ? ['rendered'] : []),
    ...(expansions ? ['expanded'] : []),
    ...(resumed ? ['resumed'] : []),
  ].join(', '),
  ...(validators?.etag
    ? [
        [
          `ETag ${validators.etag.opaque}`,
          ...(validators.lastModified === undefined ? [] : [`changed at ${validators.lastModified}`]),
        ].join(', '),
      ]
    : []),
  ...(expected ? [`expects ${expected.kind}`] : []),
  ...(ranges ? [`ranges ${ranges.map(({ first, last }) => `${first}-${last}`)}`] : []),
  ...(bytes ? [bytesShown(bytes)] : []),
  ...(applied.length > 0 ? [`applied ${applied}`] : []),
];
const bytesShown = (read: BytesRead): string => {
  if (read.kind === 'whole')
    return `${read.bytes.length} bytes: ${Buffer.from(read.bytes.subarray(0, 2)).toString('hex')}`;
  return read.kind === 'ranges'
    ? `parts ${read.parts.map((part) => Buffer.from(part.bytes))}`
    : 'length alone';
};

/** Endings of several rows. */
const NO_BOOK_8 = '404 not-found: There is no /books/8. Follow links from a list or from the home document';
const CHANGED =
  '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "3.1-json"';
const EXISTS =
  '412 precondition-failed: The resource exists in a state that If-None-Match excludes. To change it, send its ETag in If-Match; ETag: "3.1-json"';
const READ = 'found, read found, item; ETag 3.1-json, changed at 1000';
const READ_COVER = 'found, read found, bytes; ETag cover, changed at 1000; 10 bytes: 3031';
const NOT_ACCEPTABLE =
  '406 not-acceptable: Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html; {"available":["application/json","application/xml","text/xml","text/html"]}';
const NO_SHELF =
  '404 not-found: There is no /shelves/2/books. Follow links from a list or from the home document';
const UNCHANGED =
  '304; ETag: "3.1-json"; Last-Modified: Thu, 01 Jan 1970 00:00:02 GMT; Cache-Control: private, no-cache; Vary: Accept';
const REPLACED = 'replaced, read found, item; ETag 3.1-json, changed at 1000; expects version';
const READ_LIST = 'found, read found, list, rendered; ETag tCla6R02FPL1cgXIyGQDEY-json';

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  ['GET /books/7', {}, {}, READ],
  ['GET /books/8', {}, {}, NO_BOOK_8],
  [
    'GET /books/7',
    {},
    gone,
    '404 not-found: There is no book 7. Follow links from a list or from the home document',
  ],
  ['HEAD /books/7', {}, {}, READ],
  ['GET /books/7', {}, refusing('conflict'), '409 conflict: It is lent'],
  ['GET /books/7', PNG, refusing('conflict'), '409 conflict: It is lent'],
  ['GET /books/7', PNG, {}, NOT_ACCEPTABLE],
  ['GET /books/8', PNG, {}, NO_BOOK_8],
  ['GET /books/7?fields=cover', PNG, {}, READ_COVER],
  [
    'GET /books/7?fields=cover',
    {},
    noCover,
    '404 not-found: There is no /books/7. Follow links from a list or from the home document',
  ],
  ['GET /books/8?fields=cover', {}, noCover, NO_BOOK_8],
  ['GET /books/7/edit?fields=cover', {}, {}, 'found, read found, item'],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE_TYPE, 'if-match': '"cover"' },
    { ...noCover, ...EMMA },
    '412 precondition-failed: The resource does not exist. Create it by a request without If-Match',
  ],
  ['PUT /books/8?fields=cover', { ...IMAGE_TYPE, 'if-match': '"cover"' }, { ...noCover, ...EMMA }, NO_BOOK_8],
  ['DELETE /books/7?fields=cover', {}, noCover, 'done'],
  ['DELETE /books/8?fields=cover', ASYNC, {}, 'done'],
  ['PUT /books/8?fields=cover', { ...IMAGE_TYPE, ...ASYNC }, EMMA, 'replaced'],
  [
    'GET /books?offset=9000&limit=1',
    {},
    tooFar,
    '400 validation-error: The offset is too large: follow the next links instead; parameter offset: must be at most 10000, and less if items are large or filtered; {"links":[{"rel":"next","href":"/v1/books?limit=1&offset=9000&after=WyJBUSIsMSwwLDkwMDBd5vnZMiaZWEIBh2qM","method":"GET"}]}',
  ],
  ['GET /books', {}, {}, READ_LIST],
  [
    'GET /books',
    { prefer: 'count=exact' },
    counted,
    'found, read found, list, rendered; ETag T_5BAyJOXuPApU1TmPjrzh-json; applied count=exact',
  ],
  ['GET /books', { prefer: 'count=exact' }, {}, READ_LIST],
  ['GET /books', {}, counted, 'found, read found, list, rendered; ETag T_5BAyJOXuPApU1TmPjrzh-json'],
  ['GET /books/7', { prefer: 'count=exact' }, {}, READ],
  [
    'GET /books/7',
    { prefer: 'wait=2' },
    waits,
    'found, read found, item; ETag 3.1-json, changed at 1000; applied wait=2',
  ],
  ['GET /books/7', { prefer: 'wait=2' }, {}, READ],
  ['GET /books/7', { prefer: 'wait=2' }, tracked, READ],
  ['GET /books/7', { prefer: 'wait=x' }, waits, READ],
  [
    'GET /books',
    { prefer: 'wait=2' },
    tracked,
    'found, read found, list, rendered; ETag AAfPCU8JEl4MRwp2YYQWUv-json',
  ],
  [
    'PUT /books/7',
    { ...JSON_TYPE, prefer: 'wait=2' },
    { ...tracked, ...EMMA },
    'replaced, read found, item; ETag 3.1-json, changed at 1000',
  ],
  ['POST /shelves/2/books', JSON_TYPE, EMPTY, NO_SHELF],
  [
    'POST /shelves/1/books',
    JSON_TYPE,
    EMPTY,
    '400 validation-error: The body is not valid. Correct the named properties; pointer /title: must be given',
  ],
  ['POST /shelves/2/books', JSON_TYPE, EMMA, 'created'],
  ['POST /shelves/1/books', JSON_TYPE, EMMA, 'created'],
  ['POST /shelves/2/books', { ...JSON_TYPE, ...PNG }, EMMA, NO_SHELF],
  ['POST /shelves/1/books', { ...JSON_TYPE, ...PNG }, EMMA, NOT_ACCEPTABLE],
  ['POST /shelves/2/books', { ...JSON_TYPE, ...ASYNC }, { ...EMMA, ...deferring() }, NO_SHELF],
  [
    'POST /shelves/1/books',
    { ...JSON_TYPE, ...ASYNC },
    { ...EMMA, ...deferring() },
    'accepted; applied respond-async',
  ],
  ['GET /shelves/2/books', {}, {}, 'found, read found, list, rendered; ETag YML_NzmwF5IUwGwjetJ9oV-json'],
  ['GET /shelves/1/books', {}, {}, 'found, read found, list, rendered; ETag 3UPKBd3UcNyo1ZGshRnmFy-json'],
  ['PUT /books/8', JSON_TYPE, EMMA, NO_BOOK_8],
  ['PUT /books/7', { ...JSON_TYPE, ...PNG }, EMMA, NOT_ACCEPTABLE],
  ['PUT /books/8', { ...JSON_TYPE, ...PNG }, EMMA, NO_BOOK_8],
  ['POST /books', { ...JSON_TYPE, ...PNG }, EMMA, NOT_ACCEPTABLE],
  ['DELETE /books/7', PNG, {}, 'done'],
  ['DELETE /books/8', {}, {}, 'done'],
  ['DELETE /books/8', { 'if-match': '*' }, {}, NO_BOOK_8],
  ['DELETE /books/8', ASYNC, deferring(), NO_BOOK_8],
  ['DELETE /books/8', { ...ASYNC, 'if-match': '*' }, deferring(), NO_BOOK_8],
  ['PUT /books/8', { ...JSON_TYPE, 'if-none-match': '*' }, EMMA, NO_BOOK_8],
  ['PATCH /books/8', PATCH_TYPE, EMMA, NO_BOOK_8],
  ['POST /books/8', JSON_TYPE, EMMA, NO_BOOK_8],
  ['POST /books/7/delete', {}, {}, 'done'],
  ['POST /books/8/delete', {}, {}, 'done'],
  [
    'POST /books',
    { ...JSON_TYPE, 'if-match': '*' },
    EMMA,
    'created, read found, list, rendered; ETag tCla6R02FPL1cgXIyGQDEY-json',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'if-none-match': '*' },
    EMMA,
    '412 precondition-failed: The resource exists in a state that If-None-Match excludes. To change it, send its ETag in If-Match; ETag: "tCla6R02FPL1cgXIyGQDEY-json"',
  ],
  [
    'PUT /books',
    { ...JSON_TYPE, 'if-match': '*' },
    { body: '[{"id":7,"title":"Emma"}]', ...deferring() },
    'accepted, read found, list, rendered; ETag tCla6R02FPL1cgXIyGQDEY-json',
  ],
  ['GET /books/7', {}, seeOther, READ],
  ['GET /books/7', { 'if-none-match': '*' }, seeOther, READ],
  ['DELETE /books/7', { 'if-match': '"2"' }, seeOther, CHANGED],
  ['GET /books/new', {}, {}, 'found, read found, emptyForm'],
  ['GET /books/7/edit', {}, {}, 'found, read found, item'],
  ['GET /books/7/edit', { accept: 'application/json' }, {}, 'found, read found, item'],
  ['GET /books/new', { accept: 'application/json' }, {}, 'found, read found, emptyForm'],
  ['HEAD /books/new', { 'if-none-match': '*' }, {}, '304; Cache-Control: private, no-cache; Vary: Accept'],
  ['GET /books/7', { 'if-none-match': '"3.1-json"' }, {}, UNCHANGED],
  [
    'GET /books/7',
    { 'if-none-match': '"3.1-json"' },
    elsewhere,
    '304; ETag: "3.1-json"; Last-Modified: Thu, 01 Jan 1970 00:00:02 GMT; Cache-Control: private, no-cache; Vary: Accept; Content-Location: /v1/books/7',
  ],
  ['GET /books/7', { 'if-none-match': '"2.1-json"' }, {}, READ],
  ['HEAD /books/7', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:02 GMT' }, {}, UNCHANGED],
  ['GET /books/7', { 'if-match': '"2.1-json"' }, {}, CHANGED],
  ['GET /books/7', { 'if-match': '"3.1-json"', 'accept-encoding': 'gzip' }, {}, READ],
  ['GET /books/7', { 'if-none-match': '"3.1-json"', 'accept-encoding': 'gzip' }, {}, UNCHANGED],
  ['GET /books/8', { 'if-match': '*' }, {}, NO_BOOK_8],
  ['GET /books/8', { 'if-none-match': '*' }, {}, NO_BOOK_8],
  [
    'GET /books/7?fields=cover',
    { 'if-none-match': '"cover"' },
    {},
    '304; ETag: "cover"; Last-Modified: Thu, 01 Jan 1970 00:00:02 GMT; Cache-Control: private, no-cache',
  ],
  [
    'GET /books/7?fields=cover',
    { 'if-none-match': '"cover"', 'accept-encoding': 'gzip' },
    {},
    '304; ETag: "cover"; Last-Modified: Thu, 01 Jan 1970 00:00:02 GMT; Cache-Control: private, no-cache',
  ],
  [
    'GET /books/7?fields=cover',
    { 'if-match': '"cover"', 'accept-encoding': 'gzip' },
    text,
    '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "cover-gzip"',
  ],
  [
    'GET /books/7?fields=cover',
    { 'if-none-match': '"cover-gzip"', 'accept-encoding': 'gzip' },
    text,
    '304; ETag: "cover-gzip"; Last-Modified: Thu, 01 Jan 1970 00:00:02 GMT; Cache-Control: private, no-cache; Vary: Accept-Encoding',
  ],
  [
    'GET /books/7?fields=cover',
    { 'if-none-match': '"cover"' },
    text,
    '304; ETag: "cover"; Last-Modified: Thu, 01 Jan 1970 00:00:02 GMT; Cache-Control: private, no-cache; Vary: Accept-Encoding',
  ],
  ['PUT /books/7', { ...JSON_TYPE, 'if-match': '"2"' }, EMMA, CHANGED],
  ['PUT /books/7', { ...JSON_TYPE, 'if-match': '"3.1-xml"' }, EMMA, REPLACED],
  ['PUT /books/7', { ...JSON_TYPE, 'if-none-match': '*' }, EMMA, EXISTS],
  ['PUT /books/7', { ...JSON_TYPE, 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, EMMA, CHANGED],
  [
    'DELETE /books',
    { 'if-match': '"other"' },
    {},
    '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "tCla6R02FPL1cgXIyGQDEY-json"',
  ],
  [
    'DELETE /books',
    { 'if-match': '*' },
    {},
    'done, read found, list, rendered; ETag tCla6R02FPL1cgXIyGQDEY-json',
  ],
  [
    'DELETE /books',
    { 'if-match': '"other"' },
    { asOperation: RUN },
    'done, read found, list, rendered; ETag tCla6R02FPL1cgXIyGQDEY-json',
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE_TYPE, 'if-match': '"other"' },
    EMMA,
    '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "cover"',
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE_TYPE, 'if-match': '"cover"' },
    EMMA,
    'replaced, read found, bytes; ETag cover, changed at 1000; expects etag',
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE_TYPE, 'if-none-match': '*' },
    { ...noCover, ...EMMA },
    'replaced, read missing; expects absent',
  ],
  ['DELETE /books/7', { 'if-match': '"3"' }, {}, CHANGED],
  [
    'DELETE /books/7',
    { 'if-match': '"2"' },
    gone,
    '404 not-found: There is no book 7. Follow links from a list or from the home document',
  ],
  ['POST /books/7/delete', { 'if-match': '"2"' }, {}, CHANGED],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-3' },
    {},
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-3; parts 0123',
  ],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-9' },
    {},
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-9; parts 0123456789',
  ],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-0,-1' },
    {},
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-0,9-9; parts 0,9',
  ],
  ['GET /books/7?fields=cover', { range: 'bytes=0-7,2-9' }, {}, READ_COVER],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-4,5-9' },
    {},
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-4,5-9; parts 01234,56789',
  ],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=10-' },
    {},
    '416 range-not-satisfiable: There are 10 bytes. Request a range inside them; Content-Range: bytes */10; Accept-Ranges: bytes',
  ],
  ['GET /books/7?fields=cover', { range: 'bytes=0-3', 'if-range': '"other"' }, {}, READ_COVER],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-3', 'if-range': '"cover"' },
    {},
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-3; parts 0123',
  ],
  ['GET /books/7?fields=cover', { range: 'lines=1' }, {}, READ_COVER],
  [
    'HEAD /books/7?fields=cover',
    { range: 'bytes=10-' },
    {},
    'found, read found, bytes; ETag cover, changed at 1000; 10 bytes: 0000',
  ],
  ['GET /books/7', { range: 'bytes=0-3' }, {}, READ],
  ['GET /books/7?fields=cover', {}, large, '307; Location: https://s3.example/GET; Cache-Control: no-store'],
  [
    'HEAD /books/7?fields=cover',
    {},
    large,
    '307; Location: https://s3.example/HEAD; Cache-Control: no-store',
  ],
  [
    'HEAD /books/7?fields=cover',
    {},
    { ...large, keepsContentLength: true },
    'found, read found, bytes; ETag cover, changed at 1000; length alone',
  ],
  [
    'HEAD /books/7?fields=cover',
    {},
    { ...largeHere, keepsContentLength: true },
    'found, read found, bytes; ETag cover, changed at 1000; length alone',
  ],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-9' },
    { ...large, keepsContentLength: true },
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-9; parts 0123456789',
  ],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-4194304' },
    large,
    '307; Location: https://s3.example/GET; Cache-Control: no-store',
  ],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-4194303' },
    large,
    'found, read found, bytes; ETag cover, changed at 1000; ranges 0-4194303; parts 0123456789',
  ],
  [
    'HEAD /books/7?fields=cover',
    {},
    limit,
    'found, read found, bytes; ETag cover, changed at 1000; 4194304 bytes: 0000',
  ],
  ['GET /books/7?fields=cover', {}, limit, READ_COVER],
  ['PUT /books/7?fields=cover', IMAGE_TYPE, { ...large, ...EMMA }, 'replaced'],
  ['GET /books/7?fields=cover', {}, lost, 'stale, read found, bytes; ETag cover, changed at 1000'],
  [
    'GET /books/7?fields=cover',
    { range: 'bytes=0-3' },
    lost,
    'stale, read found, bytes; ETag cover, changed at 1000; ranges 0-3',
  ],
  [
    'HEAD /books/7?fields=cover',
    {},
    {},
    'found, read found, bytes; ETag cover, changed at 1000; 10 bytes: 0000',
  ],
  [
    'HEAD /books/7?fields=cover',
    {},
    text,
    'found, read found, bytes; ETag cover, changed at 1000; 2000 bytes: 3031',
  ],
  ['GET /books/7?fields=cover', {}, {}, READ_COVER],
  ['DELETE /books/7', {}, {}, 'done'],
  ['DELETE /books', {}, {}, 'done'],
  ['DELETE /books/7', {}, refusing('conflict'), '409 conflict: It is lent'],
  ['DELETE /books/7', ASYNC, refusing('conflict'), '409 conflict: It is lent'],
  [
    'DELETE /books/7',
    ASYNC,
    deferring(),
    'accepted, read found, item; ETag 3.1-json, changed at 1000; expects version; applied respond-async',
  ],
  ['DELETE /books/7', ASYNC, undeferred, 'done'],
  [
    'DELETE /books/7',
    { prefer: 'respond-async, wait=2' },
    deferring(done),
    'done, read found, item; ETag 3.1-json, changed at 1000; expects version; applied respond-async,wait=2',
  ],
  [
    'DELETE /books/7',
    { prefer: 'respond-async, wait=2' },
    deferring(),
    'accepted, read found, item; ETag 3.1-json, changed at 1000; expects version; applied respond-async,wait=2',
  ],
  [
    'DELETE /books/7',
    { prefer: 'respond-async, wait=2' },
    deferring(recorded(204)),
    '204; Preference-Applied: wait=2',
  ],
  [
    'DELETE /books/7',
    { prefer: 'respond-async, wait=2, handling=strict' },
    deferring(recorded(200, { 'Preference-Applied': 'respond-async' })),
    '200; Preference-Applied: respond-async, handling=strict, wait=2',
  ],
  [
    'DELETE /books/7',
    { prefer: 'respond-async, wait=2' },
    deferring({ kind: 'answered', fingerprint: '' } as Outcome),
    'answered, read found, item; ETag 3.1-json, changed at 1000; expects version; applied respond-async,wait=2',
  ],
  ['PUT /books', JSON_TYPE, { body: '[{"id":7,"title":"Emma"}]', ...deferring() }, 'accepted'],
  ['POST /books', { ...JSON_TYPE, ...ASYNC }, { ...EMMA, ...deferring() }, 'accepted; applied respond-async'],
  [
    'PATCH /books/7',
    { ...PATCH_TYPE, ...ASYNC },
    { body: '{"title":"Emma 2"}', ...deferring() },
    'accepted, read found, item; ETag 3.1-json, changed at 1000; expects version; applied respond-async',
  ],
  [
    'PATCH /books/7',
    PATCH_TYPE,
    { body: '{"title":null}' },
    '400 validation-error: The body is not valid. Correct the named properties; pointer /title: must be given',
  ],
  ['PATCH /books/7', PATCH_TYPE, { body: '{"title":"Emma 2"}' }, REPLACED],
  [
    'PATCH /books/7',
    PATCH_TYPE,
    EMMA,
    'found, read found, item; ETag 3.1-json, changed at 1000; expects version',
  ],
  [
    'POST /books/7',
    key('"k"'),
    EMMA,
    'found, read found, item; ETag 3.1-json, changed at 1000; expects version',
  ],
  ['POST /books/7', JSON_TYPE, { body: '{"title":7}' }, REPLACED],
  ['PUT /books/7', JSON_TYPE, EMMA, 'replaced, read found, item; ETag 3.1-json, changed at 1000'],
  ['POST /books', JSON_TYPE, { body: '[{"title":"Emma"}]' }, 'several'],
  [
    'POST /books',
    key('"k"'),
    {
      ...EMMA,
      ...replaying({ answer: { status: 201, headers: { Location: '/books/8' }, body: 'recorded' } }),
    },
    '201; Location: /books/8; Idempotency-Replayed: true',
  ],
  [
    'POST /books',
    key('"k"'),
    { ...EMMA, ...replaying({ fingerprint: 'other' }) },
    '422 idempotency-key-reused: This key belongs to a request with another payload: use a new key; header Idempotency-Key: belongs to another request',
  ],
  [
    'POST /books',
    key('"k"'),
    { ...EMMA, ...replaying({}) },
    '409 conflict: The first request with this key is still running: repeat the request later; Retry-After: 1',
  ],
  ['POST /books', key('"k"'), { ...EMMA, ...replaying({}), asOperation: RUN }, 'created, resumed'],
  [
    'POST /books',
    key('"k"'),
    {
      ...EMMA,
      ...caller(),
      ...replaying({ answer: { status: 200, headers: {}, scopes: ['grades:read'] } }),
    },
    '403 forbidden: The first request with this key had the scope grades:read. Repeat the request with it; scopes: grades:read',
  ],
  [
    'POST /books',
    key('"k"'),
    {
      ...EMMA,
      ...caller('grades:read'),
      ...replaying({ answer: { status: 200, headers: {}, scopes: ['grades:read'] } }),
    },
    '200; Idempotency-Replayed: true',
  ],
  ['POST /books', key('"k"'), EMMA, 'created'],
  ['POST /books', JSON_TYPE, { ...EMMA, ...replaying({ fingerprint: 'other' }) }, 'created'],
  ['POST /books', key('"k"'), { ...EMMA, ...replaying({ kind: 'done' }) }, 'created'],
  [
    'DELETE /books/7',
    { 'if-match': '"3.1-json"' },
    { ...replaying({}), asOperation: RUN },
    'done, read found, item, resumed; ETag 3.1-json, changed at 1000; expects version',
  ],
  ['DELETE /books/8', { 'if-match': '"3"' }, { ...replaying({}), asOperation: RUN }, NO_BOOK_8],
  ['DELETE /books/8', { 'if-match': '"3"' }, { asOperation: RUN }, NO_BOOK_8],
];

test.each(ROWS)('stateful steps, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(STATEFUL, await understood(line, headers, asked), shown)).toBe(ending);
});
