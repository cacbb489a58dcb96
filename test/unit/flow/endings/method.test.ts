import { expect, test } from '@jest/globals';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import type { Request } from '../../../../shared/http/request.ts';
import { ask, books } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const links = () => [{ rel: 'related', href: '/books', method: 'GET' }] as const;
const named = books({}, { suggestions: async () => links() });
const none = books({}, { suggestions: async () => [] });
/** Without a stage, the path of a URI is the path of the request. */
const ROOT = { basePath: '' };

const shown = ({ endpoint, parameters, binary }: Understood) => [
  `${endpoint.id} ${JSON.stringify(parameters)}${binary === undefined ? '' : ` ${binary}`}`,
];

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  ['BREW /books', {}, {}, '501 not-implemented: The method BREW is unknown here'],
  [
    'GET /books',
    { 'x-http-method-override': 'PUT' },
    {},
    '400 malformed-request: X-HTTP-Method-Override is not supported: send the method itself; header X-HTTP-Method-Override: is not supported',
  ],
  ['GET /nothing', {}, {}, '404 not-found: Nothing is at this path. Follow links from the home document'],
  [
    'GET /nothing',
    {},
    { resource: named },
    '404 not-found: Nothing is at this path. Perhaps you mean a path in links; {"links":[{"rel":"related","href":"/v1/books","method":"GET"}]}',
  ],
  [
    'GET /nothing',
    {},
    { resource: none },
    '404 not-found: Nothing is at this path. Follow links from the home document',
  ],
  ['GET /%62ooks', {}, {}, '308; Location: /v1/books'],
  ['GET /%62ooks?a=1&a=2', {}, {}, '308; Location: /v1/books?a=1&a=2'],
  ['PUT /books/', {}, {}, '404 not-found: An id is missing at the end of the path. Add the id of an item'],
  ['DELETE /books/', {}, {}, '404 not-found: An id is missing at the end of the path. Add the id of an item'],
  ['POST /books/', {}, {}, '308; Location: /v1/books'],
  ['PUT /books/7/', {}, {}, '308; Location: /v1/books/7'],
  ['DELETE /nothing/', {}, {}, '308; Location: /v1/nothing'],
  ['PATCH /books/', {}, {}, '308; Location: /v1/books'],
  [
    'OPTIONS /books/',
    {},
    {},
    '204; Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS; Accept-Post: application/json, application/xml, text/xml, text/csv, application/jsonl, application/x-ndjson, application/ndjson, application/x-www-form-urlencoded, multipart/form-data',
  ],
  [
    'OPTIONS /books/7',
    {},
    {},
    '204; Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS; Accept-Patch: application/merge-patch+json, application/json-patch+json; Accept-Post: application/json, application/xml, text/xml, application/x-www-form-urlencoded, multipart/form-data',
  ],
  ['OPTIONS /books/7?fields=cover', {}, {}, '204; Allow: GET, HEAD, PUT, DELETE, OPTIONS'],
  ['GET //evil.example/', {}, ROOT, '308; Location: /evil.example'],
  ['GET /\\evil.example/', {}, ROOT, '308; Location: /evil.example'],
  ['GET /a\\b//', {}, ROOT, '308; Location: /a%5Cb'],
  ['GET //', {}, ROOT, '308; Location: /'],
  ['GET ///books///', {}, {}, '308; Location: /v1///books'],
  ['GET /', {}, {}, '404 not-found: Nothing is at this path. Follow links from the home document'],
  ['GET /a//b/', {}, ROOT, '308; Location: /a//b'],
  [
    'PUT /books/new',
    {},
    {},
    '405 method-not-allowed: PUT is not a method of /books/new. Use one of GET, HEAD, POST, OPTIONS; Allow: GET, HEAD, POST, OPTIONS',
  ],
  [
    'PATCH /books/7?fields=cover',
    {},
    {},
    '405 method-not-allowed: PATCH is not a method of /books/7?fields=cover. Use one of GET, HEAD, PUT, DELETE, OPTIONS; Allow: GET, HEAD, PUT, DELETE, OPTIONS',
  ],
  [
    'TRACE /books',
    {},
    {},
    '405 method-not-allowed: TRACE is not a method of /books. Use one of GET, HEAD, POST, PUT, DELETE, OPTIONS; Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS',
  ],
  [
    'CONNECT /books',
    {},
    {},
    '405 method-not-allowed: CONNECT is not a method of /books. Use one of GET, HEAD, POST, PUT, DELETE, OPTIONS; Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS',
  ],
  [
    'GET /books/7?fields=cover,title',
    {},
    {},
    '400 validation-error: cover is binary: request it without other fields; parameter fields: must be cover alone',
  ],
  [
    'GET /books/7?fields=title,cover',
    {},
    {},
    '400 validation-error: cover is binary: request it without other fields; parameter fields: must be cover alone',
  ],
  [
    'GET /books/7?fields=title&fields=cover',
    {},
    {},
    '400 validation-error: cover is binary: request it without other fields; parameter fields: must be cover alone',
  ],
  ['GET /books/7?fields=cover', {}, {}, 'read {"id":7,"others":{}} cover'],
  ['GET /books/7?fields=title', {}, {}, 'read {"id":7,"others":{}}'],
  ['GET /books?fields=cover', {}, {}, 'list {"others":{}}'],
  ['DELETE /books/7?fields=cover', {}, {}, 'remove {"id":7,"others":{}} cover'],
  [
    'GET /books/seven',
    {},
    {},
    '404 not-found: There is no /books/seven. Follow links from a list or from the home document',
  ],
  [
    'GET /books/07',
    {},
    {},
    '404 not-found: There is no /books/07. Follow links from a list or from the home document',
  ],
  [
    'GET /books/7x',
    {},
    {},
    '404 not-found: There is no /books/7x. Follow links from a list or from the home document',
  ],
  [
    'GET /books/9999999999999999',
    {},
    {},
    '404 not-found: There is no /books/9999999999999999. Follow links from a list or from the home document',
  ],
  [
    'GET /books/12345678901234567',
    {},
    {},
    '404 not-found: There is no /books/12345678901234567. Follow links from a list or from the home document',
  ],
  ['GET /books/0', {}, {}, 'read {"id":0,"others":{}}'],
  [
    'GET /books/-1',
    {},
    {},
    '404 not-found: There is no /books/-1. Follow links from a list or from the home document',
  ],
  ['GET /books/9007199254740991', {}, {}, 'read {"id":9007199254740991,"others":{}}'],
  ['HEAD /books/7', {}, {}, 'read {"id":7,"others":{}}'],
  ['HEAD /shelves/1/books', {}, {}, 'list {"id":1,"others":{}}'],
  [
    'GET /books/7',
    {},
    { parameters: { id: undefined } },
    '400 malformed-request: The path is not validly percent-encoded. Send %25 for a percent sign',
  ],
  ['GET /books/7', {}, { parameters: { id: '7', shelf: 'a' } }, 'read {"id":7,"others":{"shelf":"a"}}'],
];

test.each(ROWS)('method, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(PURE, ask(line, headers, asked), shown)).toBe(ending);
});
