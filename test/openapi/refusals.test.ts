import { underTestAlone } from '../support/service/under-test.ts';
import { type Case, FORM, keepsPromises, MERGE, XML } from './promises.ts';

underTestAlone();

const HTML = { Accept: 'text/html' };
const ONLY_XML = { Accept: 'application/xml' };
const STRICT = { Prefer: 'handling=strict' };
const MINIMAL = { Prefer: 'return=minimal' };
const STALE = { 'If-Match': '"stale"' };
const LATER = 'Sat, 21 Nov 2099 10:10:29 GMT';
const TOO_LARGE = 'x'.repeat(4 * 1024 * 1024 + 1);
const IMAGE = '/products/<product>?fields=productImage';

/** Every resource as a page and as XML, and the refusals that no other list of requests has. */
const CASES: readonly Case[] = [
  [200, 'GET', '/', { headers: HTML }],
  [200, 'GET', '/', { headers: ONLY_XML }],
  [304, 'GET', '/', { headers: { 'If-None-Match': '*' } }],
  [412, 'GET', '/', { headers: STALE }],
  [200, 'GET', '/health', { headers: HTML }],
  [200, 'GET', '/problems/conflict', { headers: HTML }],
  [206, 'GET', '/openapi.json', { headers: { Range: 'bytes=0-9' } }],
  [416, 'GET', '/openapi.json', { headers: { Range: 'bytes=99999999-' } }],
  [304, 'GET', '/openapi.json', { headers: { 'If-Modified-Since': LATER } }],
  [200, 'HEAD', '/docs'],
  [404, 'GET', '/assets/none.js'],
  [204, 'OPTIONS', '/docs'],
  [400, 'GET', '/.well-known/api-catalog?x=1', { headers: STRICT }],
  [200, 'GET', '/add?operand1=1&operand2=2', { headers: HTML }],
  [200, 'GET', '/add', { headers: HTML }],
  [400, 'GET', '/add?operand1=1', { headers: HTML }],
  [200, 'HEAD', '/members'],
  [400, 'GET', '/members?fields=1x'],
  [400, 'GET', '/members?x=1', { headers: STRICT }],
  [200, 'GET', '/members?limit=0', { headers: ONLY_XML }],
  [200, 'GET', '/members?limit=18446744073709551616', { headers: HTML }],
  [406, 'POST', '/members', { json: { name: 'x' }, headers: { Accept: 'image/png' } }],
  [400, 'POST', '/members', { body: 'age=x', headers: { ...FORM, ...HTML } }],
  [403, 'POST', '/members', { body: 'name=x', headers: { ...FORM, 'Sec-Fetch-Site': 'cross-site' } }],
  [400, 'POST', '/members', { json: { name: 'x' }, headers: { 'Idempotency-Key': '""' } }],
  [400, 'POST', '/members?x=1', { json: { name: 'x' }, headers: STRICT }],
  [412, 'POST', '/members', { json: { name: 'x' }, headers: STALE }],
  [415, 'POST', '/members', { json: { name: 'x' }, headers: { 'Content-Encoding': 'br' } }],
  [400, 'POST', '/members', { json: { name: 'x' }, headers: { 'Content-Digest': 'x' } }],
  [406, 'GET', '/members/new', { headers: { Accept: 'image/png' } }],
  [200, 'HEAD', '/members/new'],
  [304, 'GET', '/members/<member>', { headers: { 'If-Modified-Since': LATER } }],
  [400, 'GET', '/members/<member>?fields=1x'],
  [404, 'PUT', '/members/1', { json: { name: 'x' } }],
  [412, 'PUT', '/members/<member>', { json: { name: 'x' }, headers: STALE }],
  [200, 'PUT', '/members/<member>', { body: '<member><name>x</name></member>', headers: XML }],
  [400, 'PATCH', '/members/<member>', { json: { age: 'z'.repeat(300_000) }, headers: MERGE }],
  [409, 'PATCH', '/members/<member>', { json: { id: 1 }, headers: MERGE }],
  [200, 'PATCH', '/members/<member>', { json: { name: 'q' }, headers: { ...MERGE, ...HTML } }],
  [303, 'POST', '/members/<member>', { body: 'name=q', headers: { ...FORM, ...HTML } }],
  [204, 'POST', '/members/<member>', { json: { age: 1 }, headers: MINIMAL }],
  [200, 'GET', '/members/<member>/delete'],
  [404, 'GET', '/members/1/delete'],
  [200, 'GET', '/customers/<customer>/orders', { headers: HTML }],
  [400, 'GET', '/customers/<customer>/orders?minCost=x'],
  [404, 'POST', '/customers/1/orders', { json: { productId: 1, orderValue: 1 } }],
  [409, 'POST', '/customers/<customer>/orders', { json: { productId: 1, orderValue: 1, customerId: 3 } }],
  [200, 'GET', '/orders/<order>/customer', { headers: HTML }],
  [200, 'GET', '/orders/<order>/products', { headers: ONLY_XML }],
  [200, 'HEAD', '/orders/<order>/customer'],
  [200, 'POST', '/orders/<order>/pay', { headers: ONLY_XML }],
  [204, 'POST', '/orders/<order>/pay', { headers: MINIMAL }],
  [409, 'POST', '/orders/<order>/complete', { headers: HTML }],
  [200, 'PUT', '/orders/<lonely>', { json: { productId: 1 } }],
  [400, 'GET', `${IMAGE},name`],
  [200, 'HEAD', IMAGE],
  [416, 'GET', IMAGE, { headers: { Range: 'bytes=9-' } }],
  [413, 'PUT', IMAGE, { body: TOO_LARGE, headers: { 'Content-Type': 'image/png' } }],
  [204, 'PUT', IMAGE, { body: 'x', headers: { 'Content-Type': 'image/png', ...MINIMAL } }],
  [412, 'DELETE', IMAGE, { headers: STALE }],
  [200, 'GET', '/files', { headers: HTML }],
  [400, 'POST', '/files', { json: [{ filename: '..', content: 'SGk=' }] }],
  [
    201,
    'POST',
    '/files',
    {
      json: [
        { filename: 'refused-1', content: 'SGk=' },
        { filename: '<', content: 'SGk=' },
      ],
      headers: ONLY_XML,
    },
  ],
  [
    207,
    'POST',
    '/files',
    {
      json: [
        { filename: 'refused-1', content: 'SGk=' },
        { filename: 'refused-2', content: 'SGk=' },
      ],
      headers: { ...HTML, Prefer: 'handling=lenient' },
    },
  ],
  [204, 'POST', '/files', { json: [{ filename: 'refused-1', content: 'SGk=' }], headers: MINIMAL }],
  [204, 'PUT', '/files/<file>', { body: 'a', headers: MINIMAL }],
  [412, 'PUT', '/files/<file>', { body: 'a', headers: { 'If-None-Match': '*' } }],
  [413, 'PUT', '/files/<file>', { body: TOO_LARGE }],
  [400, 'PUT', '/files/<file>', { body: 'a', headers: { 'Content-Range': 'bytes 0-0/1' } }],
  [404, 'GET', '/files/none', { headers: { 'If-Match': '*' } }],
  [404, 'HEAD', '/files/none'],
  [400, 'DELETE', '/files/<file>?x=1'],
  [200, 'GET', '/files/<file>/delete'],
  [303, 'POST', '/files/<file>/delete', { headers: HTML }],
  [412, 'DELETE', '/members/<member>', { headers: STALE }],
  [303, 'POST', '/members/<member>/delete', { headers: HTML }],
  [404, 'POST', '/members/1/delete'],
];

keepsPromises(CASES);
