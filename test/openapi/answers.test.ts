import { expect, test } from '@jest/globals';
import { REQUEST_HEADERS } from '../../openapi/requests/request-headers.ts';
import { create, get, send, underTestAlone } from '../support/service/under-test.ts';
import { document } from './contract.ts';
import { type Case, FORM, keepsPromises, MERGE, PATCH, XML } from './promises.ts';

underTestAlone();

const CASES: readonly Case[] = [
  [200, 'GET', '/'],
  [200, 'GET', '/health'],
  [200, 'GET', '/problems/conflict'],
  [404, 'GET', '/problems/none'],
  [200, 'GET', '/openapi.json'],
  [200, 'GET', '/openapi.json', { headers: { Accept: 'application/openapi+json;version=3.2' } }],
  [200, 'GET', '/docs'],
  [200, 'GET', '/assets/docs.js'],
  [200, 'GET', '/schemas/members'],
  [200, 'GET', '/.well-known/api-catalog'],
  [200, 'GET', '/add?operand1=0.1&operand2=0.2'],
  [200, 'GET', '/add?operand1=0.1&operand2=0.2', { headers: { Accept: 'text/plain' } }],
  [400, 'GET', '/add?operand1=x'],
  [200, 'GET', '/members?limit=2&sort=-name&fields=name', { headers: { Prefer: 'count=exact' } }],
  [200, 'GET', '/members?limit=1', { headers: { Accept: 'application/xml' } }],
  [400, 'GET', '/members?limit=x&sort=y'],
  [406, 'GET', '/members', { headers: { Accept: 'image/png' } }],
  [201, 'POST', '/members', { json: { username: 'ada', age: 36, open: { nested: [1, null] } } }],
  [201, 'POST', '/members', { json: { username: 'ada' }, headers: { Prefer: 'return=minimal' } }],
  [201, 'POST', '/members', { body: '<member><name>Ada</name></member>', headers: XML }],
  [400, 'POST', '/members', { json: { age: -1 } }],
  [400, 'POST', '/members', { body: '{', headers: { 'Content-Type': 'application/json' } }],
  [415, 'POST', '/members', { body: 'x', headers: { 'Content-Type': 'text/calendar' } }],
  [413, 'POST', '/members', { json: { name: 'x', open: 'x'.repeat(1_000_001) } }],
  [200, 'GET', '/members/<member>'],
  [304, 'GET', '/members/<member>', { headers: { 'If-None-Match': '*' } }],
  [412, 'GET', '/members/<member>', { headers: { 'If-Match': '"none"' } }],
  [200, 'HEAD', '/members/<member>'],
  [404, 'GET', '/members/1'],
  [204, 'OPTIONS', '/members/<member>'],
  [200, 'PUT', '/members/<member>', { json: { name: 'Ada' } }],
  [204, 'PUT', '/members/<member>', { json: { name: 'Ada' }, headers: { Prefer: 'return=minimal' } }],
  [400, 'PUT', '/members/<member>', { json: { id: 1 } }],
  [200, 'PATCH', '/members/<member>', { json: { age: 36 }, headers: MERGE }],
  [204, 'PATCH', '/members/<member>', { json: { age: 37 }, headers: { ...MERGE, Prefer: 'return=minimal' } }],
  [409, 'PATCH', '/members/<member>', { json: [{ op: 'remove', path: '/none' }], headers: PATCH }],
  [400, 'PATCH', '/members/<member>', { json: [{ op: 'none' }], headers: PATCH }],
  [415, 'PATCH', '/members/<member>', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  [200, 'POST', '/members/<member>', { json: { age: 38 } }],
  [200, 'GET', '/customers/<customer>/orders?minCost=0'],
  [404, 'GET', '/customers/1/orders'],
  [201, 'POST', '/customers/<customer>/orders', { json: { productId: 1, orderValue: 1 } }],
  [409, 'POST', '/orders', { json: { productId: 1, orderValue: 1, customerId: 1 } }],
  [200, 'GET', '/orders/<order>'],
  [200, 'GET', '/orders/<order>?expand=customer,products'],
  [200, 'GET', '/orders/<lonely>?expand=customer,products&fields=status'],
  [200, 'GET', '/orders?expand=customer&limit=5'],
  [200, 'GET', '/customers/<customer>/orders?expand=products'],
  [400, 'GET', '/orders?expand=status'],
  [200, 'GET', '/orders/<order>/customer'],
  [404, 'GET', '/orders/<lonely>/customer'],
  [200, 'GET', '/orders/<order>/products'],
  [200, 'GET', '/orders/<lonely>/products'],
  [200, 'GET', '/products/<product>'],
  [200, 'GET', '/products/<product>?fields=productImage'],
  [206, 'GET', '/products/<product>?fields=productImage', { headers: { Range: 'bytes=0-1' } }],
  [
    415,
    'PUT',
    '/products/<product>?fields=productImage',
    { body: 'x', headers: { 'Content-Type': 'text/css' } },
  ],
  [
    200,
    'PUT',
    '/products/<product>?fields=productImage',
    { body: 'x', headers: { 'Content-Type': 'image/gif' } },
  ],
  [204, 'DELETE', '/products/<product>?fields=productImage'],
  [200, 'GET', '/files?limit=1'],
  [200, 'GET', '/files/<file>'],
  [206, 'GET', '/files/<file>', { headers: { Range: 'bytes=0-1' } }],
  [206, 'GET', '/files/<file>', { headers: { Range: 'bytes=0-0,2-2' } }],
  [416, 'GET', '/files/<file>', { headers: { Range: 'bytes=99-' } }],
  [200, 'HEAD', '/files/<file>'],
  [200, 'PUT', '/files/<file>', { body: 'hello again' }],
  [201, 'PUT', '/files/<file>-too', { body: 'hello' }],
  [204, 'DELETE', '/files/<file>-too'],
  [400, 'PUT', '/files/%00', { body: 'hello' }],
  [200, 'GET', '/members/new'],
  [200, 'GET', '/members/<member>/edit'],
  [200, 'GET', '/members/<member>', { headers: { Accept: 'text/html' } }],
  [201, 'POST', '/members/new', { body: 'name=Ada', headers: FORM }],
  [303, 'POST', '/members', { body: 'name=Ada', headers: { ...FORM, Accept: 'text/html' } }],
  [404, 'GET', '/members/1', { headers: { Accept: 'text/html' } }],
  [201, 'POST', '/members', { json: { name: 'Ada' }, headers: { 'Idempotency-Key': 'described' } }],
  [201, 'POST', '/members', { json: { name: 'Ada' }, headers: { 'Idempotency-Key': 'described' } }],
  [422, 'POST', '/members', { json: { name: 'Eve' }, headers: { 'Idempotency-Key': 'described' } }],
  [201, 'POST', '/files', { json: [{ filename: 'described-1', content: 'SGVsbG8=' }] }],
  [200, 'POST', '/files', { json: [{ filename: 'described-1', content: 'SGVsbG8=' }] }],
  [202, 'POST', '/files', { json: { filename: 'described-2', size: 5, contentType: 'text/plain' } }],
  [202, 'POST', '/files', { json: [{ filename: 'described-3', size: 80_000_000 }] }],
  [200, 'POST', '/orders/<order>/pay'],
  [409, 'POST', '/orders/<order>/complete'],
  [400, 'PUT', '/customers'],
  [204, 'DELETE', '/members/<member>'],
  [404, 'DELETE', '/members/1'],
];

keepsPromises(CASES);

test('a service without stage serves the committed description', async () => {
  expect((await get('/openapi.json')).json()).toEqual(document);
});

/** Header fields of which only requests with content know something, or that a GET ignores if they are unreadable. */
const OF_CONTENT = ['Idempotency-Key', 'Content-Digest', 'Repr-Digest', 'If-None-Match'];

test.each(Object.values(REQUEST_HEADERS))(
  'the service refuses an unreadable $name only if its description has a pattern or a format',
  async ({ name, schema }) => {
    const { path } = await create('/members', { name: 'Ada' });
    const headers = { ...MERGE, [name]: '"x' };
    const sent = { json: { name: 'Eve' }, headers };
    const { status } = await (OF_CONTENT.includes(name) ? send('PATCH', path, sent) : get(path, headers));
    expect(status).toBe((schema.pattern ?? schema.format) === undefined ? 200 : 400);
  },
);
