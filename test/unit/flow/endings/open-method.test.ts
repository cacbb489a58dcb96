import { expect, test } from '@jest/globals';
import type { Received, Targeted } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import type { Request } from '../../../../shared/http/request.ts';
import { binary, text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { ask, books } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const METHOD = flow<Received>().next(method);
const { routes } = books();
const [bytes] = routes.filter((route) => route.binary);
const facts = {
  singular: 'book',
  open: true,
  fields: { title: text('Title'), cover: binary('Cover', { accepts: 'image/*' }) },
  required: [],
} as const;
/** Books with any other property, as bytes too. */
const open = {
  resource: books(
    {},
    {
      description: describe(facts),
      routes: [...routes, ...(bytes ? [{ ...bytes, binary: { kind: 'undeclared' as const } }] : [])],
    },
  ),
};
/** A resource without items can have such routes, too. */
const undescribed = { resource: { ...open.resource, description: undefined } };
/** Books whose shelf the client names. */
const shelves = {
  resource: books(
    {},
    {
      description: describe({
        ...facts,
        identifier: {
          name: 'shelf',
          kind: 'text',
          label: 'Shelf',
          example: 'a',
          faultOf: (name) => (name === 'x' ? 'is taken' : undefined),
        },
      }),
    },
  ),
};
const plain = {
  resource: books(
    {},
    {
      description: describe({
        ...facts,
        identifier: { name: 'shelf', kind: 'text', label: 'Shelf', example: 'a' },
      }),
    },
  ),
};

const shown = ({ endpoint, route, parameters, binary }: Received & Targeted) => [
  [
    endpoint.id,
    route.binary?.kind ?? 'whole',
    ...(binary === undefined ? [] : [binary]),
    JSON.stringify(parameters),
  ].join(' '),
];

/** Endings of several rows. */
const REPLACES = 'replace whole {"id":7,"others":{}}';
const READS = 'read whole {"id":7,"others":{}}';

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  ['GET /books/7?fields=photo', {}, open, 'read whole photo {"id":7,"others":{}}'],
  ['HEAD /books/7?fields=photo', {}, open, 'read whole photo {"id":7,"others":{}}'],
  ['PUT /books/7?fields=photo', {}, open, 'write undeclared photo {"id":7,"others":{}}'],
  ['DELETE /books/7?fields=photo', {}, open, 'remove undeclared photo {"id":7,"others":{}}'],
  ['POST /books/7?fields=photo', {}, open, 'change whole photo {"id":7,"others":{}}'],
  ['PATCH /books/7?fields=photo', {}, open, 'patch whole photo {"id":7,"others":{}}'],
  ['GET /books/7?fields=photo,other', {}, open, READS],
  ['PUT /books/7?fields=photo,other', {}, open, REPLACES],
  ['PUT /books/7?fields=photo&fields=other', {}, open, REPLACES],
  ['GET /books/7', {}, open, READS],
  ['PUT /books/7', {}, open, REPLACES],
  ['GET /books/7?fields=cover', {}, open, 'read declared cover {"id":7,"others":{}}'],
  ['PUT /books/7?fields=title', {}, open, REPLACES],
  ['GET /books/7?fields=title', {}, open, READS],
  ['PUT /books/7?fields=Cover', {}, open, REPLACES],
  ['DELETE /books/7?fields=COVER', {}, open, 'remove whole {"id":7,"others":{}}'],
  ['GET /books/7?fields=Cover', {}, open, 'read whole Cover {"id":7,"others":{}}'],
  ['PUT /books/7?fields=7', {}, open, REPLACES],
  ['PUT /books/7?fields=', {}, open, REPLACES],
  [
    'OPTIONS /books/7?fields=photo',
    {},
    open,
    '204; Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS; Accept-Patch: application/merge-patch+json, application/json-patch+json; Accept-Post: application/json, application/xml, text/xml, application/x-www-form-urlencoded, multipart/form-data',
  ],
  ['GET /books?fields=photo', {}, open, 'list whole {"others":{}}'],
  ['PUT /books/7?fields=photo', {}, {}, REPLACES],
  ['GET /books/7?fields=photo', {}, {}, READS],
  ['PUT /books/7?fields=photo', {}, undescribed, REPLACES],
  ['PATCH /books/7?fields=photo', {}, undescribed, 'patch whole {"id":7,"others":{}}'],
  ['GET /books/7', {}, { ...shelves, parameters: { shelf: 'a' } }, 'read whole {"name":"a","others":{}}'],
  [
    'GET /books/7',
    {},
    { ...shelves, parameters: { shelf: 'x' } },
    '400 validation-error: The name in the path is taken. Choose another name',
  ],
  ['GET /books/7', {}, { ...plain, parameters: { shelf: 'x' } }, 'read whole {"name":"x","others":{}}'],
  ['GET /books/7', {}, { parameters: { shelf: 'x' } }, 'read whole {"others":{"shelf":"x"}}'],
  [
    'GET /books/7',
    {},
    { ...undescribed, parameters: { shelf: 'x', id: '7' } },
    'read whole {"id":7,"others":{"shelf":"x"}}',
  ],
];

test.each(ROWS)('method, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(METHOD, ask(line, headers, asked), shown)).toBe(ending);
});
