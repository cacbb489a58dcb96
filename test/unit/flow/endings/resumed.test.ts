import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { STATEFUL } from '../../../../shared/flow/answer.ts';
import type { Done } from '../../../../shared/flow/exchange.ts';
import type { ProblemName } from '../../../../shared/http/problem.ts';
import type { Request } from '../../../../shared/http/request.ts';
import type { Run } from '../../../../shared/resource/actions/action.ts';
import {
  done,
  found,
  foundItem,
  missing,
  type Outcome,
} from '../../../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../../../shared/resource/resource.ts';
import type { Endpoint } from '../../../../shared/resource/route.ts';
import { type ask, BOOK, books, COVER, RUN, understood } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const OTHER = { 'if-match': '"other"' };
const ANY = { 'if-match': '*' };
const NONE = { 'if-none-match': '*' };
const IMAGE = { 'content-type': 'image/png' };
const JSON_TYPE = { 'content-type': 'application/json' };
const EMMA = { body: '{"title":"Emma"}' };
const BYTES = { body: '0123456789' };
const ASYNC = { prefer: 'respond-async' };

/** The resource, with more facts of all endpoints. */
const extended = ({ routes, ...rest }: Resource, more: Partial<Endpoint>): Resource => ({
  ...rest,
  routes: routes.map((route) => ({
    ...route,
    endpoints: Object.fromEntries(
      Object.entries(route.endpoints).map(([name, endpoint]) => [name, { ...endpoint, ...more }]),
    ),
  })),
});

const gone: Run = () => missing();
/** Storage decides whether the item of a client's name exists. */
const managed = { resource: extended(books({ read: gone }), { clientManaged: true }) };
const present = { resource: extended(books(), { clientManaged: true }) };
const creating = { resource: extended(books({ read: gone }), { creates: true }) };
const unmanaged = { resource: books({ read: gone }) };
const unread = { resource: extended(books({ read: gone }), { clientManaged: true, creates: true }) };
const deferring = {
  resource: { ...managed.resource, deferral: { accept: async () => done, waitForEnd: async () => done } },
} as object;

/** The run after one that had the effect and left no answer. */
const again = (resource: Resource) => ({
  resource: {
    ...resource,
    idempotency: {
      replay: async () => ({ kind: 'answered' as const, fingerprint: RUN.keyed.fingerprint }),
      record: async () => done,
    },
  },
  asOperation: RUN,
});
const sha256 = createHash('sha256').update(BYTES.body).digest('base64');
const stored = (more: object) =>
  again(books({ cover: () => found({ kind: 'bytes', bytes: { ...COVER, sha256, ...more } }) }));

/** A transition that the item does not allow. */
const checked = (name: ProblemName | undefined) => ({
  resource: extended(books(), {
    check: (): Outcome => (name ? { kind: 'refused', problem: { name, detail: 'It is lent' } } : done),
  }),
});
const seeOther = { resource: books({ read: () => ({ ...foundItem(BOOK), seeOther: '/books/9' }) }) };

const shown = ({ outcome, resumed, lookup, expected }: Done) => [
  [
    outcome.kind,
    ...(resumed ? ['resumed'] : []),
    ...(lookup ? [`read ${lookup.kind}`] : []),
    ...(expected ? [`expects ${expected.kind}`] : []),
  ].join(', '),
];

/** Endings of several rows. */
const CHANGED =
  '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "3.1-json"';
const COVER_CHANGED =
  '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "cover"';
const COVER_EXISTS =
  '412 precondition-failed: The resource exists in a state that If-None-Match excludes. To change it, send its ETag in If-Match; ETag: "cover"';
const NOT_CREATED =
  '412 precondition-failed: The resource does not exist. Create it by a request without If-Match';
const NO_BOOK = '404 not-found: There is no /books/7. Follow links from a list or from the home document';

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  ['DELETE /books/7', OTHER, managed, NOT_CREATED],
  ['DELETE /books/7', NONE, managed, 'done, read missing, expects absent'],
  ['DELETE /books/7', OTHER, unmanaged, NO_BOOK],
  ['DELETE /books/7', {}, managed, 'done'],
  ['DELETE /books/7', ASYNC, deferring, NO_BOOK],
  ['DELETE /books/7', { ...ASYNC, ...ANY }, deferring, NOT_CREATED],
  [
    'PUT /books/7',
    { ...JSON_TYPE, ...NONE },
    { ...EMMA, ...creating },
    'replaced, read missing, expects absent',
  ],
  ['PUT /books/7', { ...JSON_TYPE, ...ANY }, { ...EMMA, ...creating }, NOT_CREATED],
  ['PUT /books/7', JSON_TYPE, { ...EMMA, ...creating }, 'replaced'],
  [
    'PUT /books/7',
    { ...JSON_TYPE, ...NONE },
    { ...EMMA, ...unread },
    'replaced, read missing, expects absent',
  ],
  ['DELETE /books/7', OTHER, again(managed.resource), 'done, resumed, read missing, expects absent'],
  ['DELETE /books/7', OTHER, again(present.resource), CHANGED],
  ['DELETE /books/7', OTHER, again(unmanaged.resource), NO_BOOK],
  ['DELETE /books/7', OTHER, { ...again(managed.resource), asOperation: undefined }, NOT_CREATED],
  ['PUT /books/7', { ...JSON_TYPE, ...ANY }, { ...EMMA, ...again(creating.resource) }, NOT_CREATED],
  ['PUT /books/7', { ...JSON_TYPE, ...OTHER }, { ...EMMA, ...again(books()) }, CHANGED],
  ['DELETE /books', OTHER, again(books()), 'done, resumed, read found'],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE, ...NONE },
    { ...BYTES, ...stored({}) },
    'replaced, resumed, read found, expects etag',
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE, ...NONE },
    { ...BYTES, ...stored({ mediaType: 'image/gif' }) },
    COVER_EXISTS,
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE, ...NONE },
    { ...BYTES, ...stored({ sha256: 'other' }) },
    COVER_EXISTS,
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE, ...NONE },
    { ...BYTES, ...stored({ sha256: undefined }) },
    COVER_EXISTS,
  ],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE, ...NONE },
    { ...BYTES, ...stored({}), asOperation: undefined },
    COVER_EXISTS,
  ],
  ['DELETE /books/7?fields=cover', OTHER, stored({}), COVER_CHANGED],
  [
    'PUT /books/7?fields=cover',
    { ...IMAGE, ...NONE },
    { ...BYTES, ...again(books({ cover: gone })) },
    'replaced, resumed, read missing, expects absent',
  ],
  ['DELETE /books/7', OTHER, checked('conflict'), '409 conflict: It is lent'],
  ['DELETE /books/7', OTHER, checked('validation-error'), CHANGED],
  ['DELETE /books/7', OTHER, checked(undefined), CHANGED],
  ['PUT /books/7', { ...JSON_TYPE, ...OTHER }, { ...EMMA, ...checked('conflict') }, CHANGED],
  ['GET /books/7', OTHER, checked('conflict'), CHANGED],
  ['POST /books/7/delete', OTHER, checked('conflict'), '409 conflict: It is lent'],
  ['GET /books/7', OTHER, seeOther, 'found, read found'],
  ['DELETE /books/7', OTHER, seeOther, CHANGED],
  ['GET /books/7', OTHER, {}, CHANGED],
  [
    'GET /books/new',
    OTHER,
    {},
    '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match',
  ],
  ['GET /books/new', { ...ANY, 'accept-encoding': 'gzip' }, {}, 'found, read found'],
  [
    'POST /books',
    { ...JSON_TYPE, ...OTHER },
    EMMA,
    '412 precondition-failed: The resource is in another state. Read it again, and send its new ETag in If-Match; ETag: "tCla6R02FPL1cgXIyGQDEY-json"',
  ],
  ['POST /shelves/1/books', { ...JSON_TYPE, ...ANY }, EMMA, 'created, read found'],
];

test.each(ROWS)('preconditions, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(STATEFUL, await understood(line, headers, asked), shown)).toBe(ending);
});
