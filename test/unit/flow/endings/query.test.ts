import { expect, test } from '@jest/globals';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import type { Request } from '../../../../shared/http/request.ts';
import type { ItemFacts } from '../../../../shared/resource/description/description.ts';
import { text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { ask, books } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const STRICT = { ...JSON_TYPE, prefer: 'handling=strict' };
const HTML = { accept: 'text/html' };
const EMMA = { body: '{"title":"Emma"}' };
const authors: ItemFacts = {
  name: 'authors',
  description: describe({ singular: 'author', fields: { name: text('Name') }, required: [] }),
  links: () => [],
};
const written = (to: ItemFacts) =>
  books(
    {},
    {
      relations: {
        author: {
          to,
          field: 'authorId',
          kind: 'one',
          read: async () => ({ items: new Map(), unread: new Set<number>() }),
        },
      },
    },
  );
const RELATED = { resource: written(authors) };
const OF_TENANTS = { resource: written({ ...authors, owner: 'tenant' }) };
const caller = (...scopes: string[]) => ({ principal: { subject: 'ada', scopes } });

const shown = ({ page, fields, expand, applied, maximum, pendingRefusal }: Understood) => [
  [
    `${page.limit} from ${page.offset} by ${page.sortOrder.map(({ field, descending }) => (descending ? `-${field}` : field))}`,
    ...(page.filters ?? []).map(
      ({ field, operator, values }) => `${field} ${operator} ${JSON.stringify(values)}`,
    ),
    ...(page.count ? ['count'] : []),
  ].join(', '),
  ...(fields ? [`fields ${[...fields]}`] : []),
  ...(expand.length > 0 ? [`expand ${expand.map(({ name }) => name)}`] : []),
  ...(applied.length > 0 ? [`applied ${applied}`] : []),
  ...(maximum === undefined ? [] : [`maximum ${maximum}`]),
  ...(pendingRefusal
    ? [
        `pending ${pendingRefusal.ending.status}: ${pendingRefusal.ending.problem?.errors?.map(({ detail }) => detail)}`,
      ]
    : []),
];

/** Endings of several rows. */
const UNKNOWN =
  '400 validation-error: The query is not valid. Correct the named parameters; parameter nonsense: is not a parameter of this request';
const EXPANDED = '100 from 0 by id; expand author';
const MALFORMED_MAXIMUM =
  '400 validation-error: The preference max-affected is malformed. Send a number, such as max-affected=10; header Prefer: max-affected must be a number of items';
const NO_LIMIT =
  '400 validation-error: The query is not valid. Correct the named parameters; parameter limit: must be an integer of 0 or more';
const SEVERAL_LIMITS =
  '400 validation-error: The query is not valid. Correct the named parameters; parameter limit: must be given once';

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  ['DELETE /books', { prefer: 'max-affected=many' }, {}, MALFORMED_MAXIMUM],
  ['DELETE /books', { prefer: 'max-affected=1234567890123456' }, {}, MALFORMED_MAXIMUM],
  ['DELETE /books', { prefer: 'max-affected=x1' }, {}, MALFORMED_MAXIMUM],
  ['DELETE /books', { prefer: 'max-affected=1x' }, {}, MALFORMED_MAXIMUM],
  [
    'DELETE /books',
    { prefer: 'max-affected=123456789012345' },
    {},
    '100 from 0 by id; applied max-affected=123456789012345; maximum 123456789012345',
  ],
  ['DELETE /books', { prefer: 'max-affected=1, handling=lenient' }, {}, '100 from 0 by id'],
  ['DELETE /books', { prefer: 'handling=lenient' }, {}, '100 from 0 by id'],
  ['DELETE /books/7', { prefer: 'max-affected=many' }, {}, MALFORMED_MAXIMUM],
  ['GET /books?nonsense=1', STRICT, {}, UNKNOWN],
  ['GET /books', STRICT, {}, '100 from 0 by id; applied handling=strict'],
  ['PUT /books/7?nonsense=1', STRICT, EMMA, UNKNOWN],
  ['PUT /books/7?nonsense=1', JSON_TYPE, EMMA, '100 from 0 by id'],
  [
    'DELETE /books',
    { prefer: 'handling=strict, max-affected=2' },
    {},
    '100 from 0 by id; applied max-affected=2,handling=strict; maximum 2',
  ],
  ['GET /books', { prefer: 'count=exact' }, {}, '100 from 0 by id, count'],
  ['GET /books', { prefer: 'count=many' }, {}, '100 from 0 by id'],
  ['GET /books?count=1', {}, {}, '100 from 0 by id'],
  ['GET /books?count=1', HTML, {}, '100 from 0 by id'],
  ['GET /books?order=asc', HTML, {}, '100 from 0 by id'],
  ['GET /books?:count=1', {}, {}, '100 from 0 by id'],
  ['GET /books?limit=5', { prefer: 'count=exact' }, {}, '5 from 0 by id, count'],
  ['GET /books/7', { prefer: 'count=exact' }, {}, '100 from 0 by id'],
  ['GET /books?title=', {}, {}, '100 from 0 by id, title = [""]'],
  ['GET /books?title=a', {}, {}, '100 from 0 by id, title = ["a"]'],
  ['GET /books?title=a&limit=', HTML, {}, NO_LIMIT],
  ['GET /books?limit=1&limit=2', {}, {}, SEVERAL_LIMITS],
  [
    'GET /books?offset=1&offset=2',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter offset: must be given once',
  ],
  [
    'GET /books?order=asc&order=desc',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter order: must be given once',
  ],
  [
    'GET /books?after=1&after=2',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter after: must be given once',
  ],
  ['GET /books?sort=title&sort=id', {}, {}, '100 from 0 by title'],
  ['GET /books?sort=title', STRICT, {}, '100 from 0 by title; applied handling=strict'],
  ['GET /books?sort=title&order=desc', {}, {}, '100 from 0 by -title'],
  ['GET /books?limit=2&offset=4', {}, {}, '2 from 4 by id'],
  ['GET /books?fields=id&fields=title', {}, {}, '100 from 0 by id; fields id,title'],
  [
    'GET /books?sort=colour',
    {},
    {},
    "400 validation-error: The query is not valid. Correct the named parameters; parameter sort: 'colour' is not a sort key: use id, title, createdAt, updatedAt, with - or :desc for descending order",
  ],
  [
    'GET /books?after=x',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter after: is not a cursor of this list',
  ],
  ['GET /books?limit=x', {}, {}, NO_LIMIT],
  ['GET /books?limit=x&fields=colour', {}, {}, NO_LIMIT],
  [
    'GET /books/7?fields=colour',
    {},
    {},
    "400 validation-error: The query is not valid. Correct the named parameters; parameter fields: 'colour' is not a field: use id, title, cover, createdAt, updatedAt, links",
  ],
  ['GET /books/7?fields=title', {}, {}, '100 from 0 by id; fields title'],
  ['GET /books?title=a&title=b', {}, {}, '100 from 0 by id, title = ["a","b"]'],
  [
    'GET /books?Title=a',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter Title: is not a filter of this list: use title',
  ],
  [
    'HEAD /books?Title=a',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter Title: is not a filter of this list: use title',
  ],
  ['GET /books/7?Title=a', {}, {}, '100 from 0 by id'],
  ['GET /books/7?limit=1', {}, {}, '100 from 0 by id'],
  ['GET /books/7?limit=1&limit=2', {}, {}, '100 from 0 by id'],
  ['GET /books?expand=author', {}, {}, '100 from 0 by id'],
  ['GET /books/7?expand=author', {}, {}, '100 from 0 by id'],
  ['GET /books?nonsense=1&nonsense=2', {}, {}, '100 from 0 by id'],
  ['GET /books/new?fields=title', {}, {}, '100 from 0 by id'],
  [
    'DELETE /books?title=Emma',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter title: is not a parameter of this request',
  ],
  [
    'DELETE /books?Title=a',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter Title: is not a parameter of this request',
  ],
  [
    'DELETE /books?limit=1',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter limit: is not a parameter of this request',
  ],
  ['DELETE /books/7?nonsense=1', {}, {}, UNKNOWN],
  [
    'DELETE /books/7?sort=a',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter sort: is not a parameter of this request',
  ],
  ['DELETE /books/7?fields=cover', {}, {}, '100 from 0 by id'],
  [
    'DELETE /books/7?fields=cover&expand=x',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter expand: is not a parameter of this request',
  ],
  [
    'DELETE /books/7?fields=cover&fields=',
    {},
    {},
    '400 validation-error: cover is binary: request it without other fields; parameter fields: must be cover alone',
  ],
  [
    'DELETE /books/7?fields=title',
    {},
    {},
    '400 validation-error: The query is not valid. Correct the named parameters; parameter fields: is not a parameter of this request',
  ],
  ['GET /books?sort=x&limit=1&limit=2', {}, {}, SEVERAL_LIMITS],
  ['GET /books?limit=1&limit=2&fields=colour', {}, {}, SEVERAL_LIMITS],
  ['GET /books/7?fields=', {}, {}, '100 from 0 by id'],
  ['GET /shelves/1/books?limit=3', {}, {}, '3 from 0 by id'],
  ['GET /books/7?fields=cover&nonsense=1', {}, {}, '100 from 0 by id'],
  ['GET /books/7?fields=cover&nonsense=1', STRICT, {}, UNKNOWN],
  ['GET /shelves/2/books?limit=x', {}, {}, '100 from 0 by id; pending 400: must be an integer of 0 or more'],
  [
    'POST /shelves/2/books?nonsense=1',
    STRICT,
    EMMA,
    '100 from 0 by id; applied handling=strict; pending 400: is not a parameter of this request',
  ],
  ['POST /shelves/2/books?fields=colour', JSON_TYPE, EMMA, '100 from 0 by id'],
  ['POST /books?title=a', JSON_TYPE, EMMA, '100 from 0 by id'],
  ['POST /books?Title=a', JSON_TYPE, EMMA, '100 from 0 by id'],
  [
    'PUT /books/7?fields=title',
    JSON_TYPE,
    EMMA,
    "400 validation-error: The query is not valid. Correct the named parameters; parameter fields: 'title' is not a binary property: leave fields out, or send a PATCH",
  ],
  [
    'PUT /books/7?fields=Cover',
    JSON_TYPE,
    EMMA,
    "400 validation-error: The query is not valid. Correct the named parameters; parameter fields: 'Cover' is not a binary property: use cover",
  ],
  ['PUT /books?nonsense=1', JSON_TYPE, EMMA, UNKNOWN],
  ['PUT /books/7?fields=', JSON_TYPE, EMMA, '100 from 0 by id'],
  ['PUT /books/7?fields=cover', { 'content-type': 'image/png' }, { body: 'x' }, '100 from 0 by id'],
  ['PUT /books?nonsense=1', JSON_TYPE, { body: '[]' }, UNKNOWN],
  ['GET /books?expand=author', {}, RELATED, EXPANDED],
  [
    'GET /books/7?expand=author,editor',
    {},
    RELATED,
    "400 validation-error: The query is not valid. Correct the named parameters; parameter expand: 'editor' is not a relation: use author",
  ],
  ['GET /books/7?expand=author', {}, RELATED, EXPANDED],
  ['GET /books?expand=author&expand=author', {}, RELATED, EXPANDED],
  ['GET /books/new?expand=author', {}, RELATED, '100 from 0 by id'],
  ['POST /books?expand=editor', JSON_TYPE, { ...EMMA, ...RELATED }, '100 from 0 by id'],
  [
    'POST /shelves/1/books?expand=editor',
    STRICT,
    { ...EMMA, ...RELATED },
    '100 from 0 by id; applied handling=strict; pending 400: is not a parameter of this request',
  ],
  [
    'GET /books?limit=1&limit=2&expand=no',
    {},
    RELATED,
    "400 validation-error: The query is not valid. Correct the named parameters; parameter limit: must be given once; parameter expand: 'no' is not a relation: use author",
  ],
  ['GET /shelves/1/books?expand=author', {}, RELATED, EXPANDED],
  [
    'DELETE /books/7?expand=author',
    {},
    RELATED,
    '400 validation-error: The query is not valid. Correct the named parameters; parameter expand: is not a parameter of this request',
  ],
  [
    'GET /books?expand=author',
    {},
    { ...RELATED, ...caller('books:read') },
    '403 forbidden: The scope authors:read is needed. Get a token with it; scopes: authors:read',
  ],
  ['GET /books?expand=author', {}, { ...RELATED, ...caller('books:read', 'authors:read') }, EXPANDED],
  [
    'GET /books?expand=author',
    {},
    { ...OF_TENANTS, ...caller('books:read', 'authors:read') },
    '403 forbidden: The items have tenants: send a token with the claim tenant',
  ],
];

test.each(ROWS)('preferences and query, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(PURE, ask(line, headers, asked), shown)).toBe(ending);
});
