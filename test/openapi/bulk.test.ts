import { underTestAlone } from '../support/service/under-test.ts';
import { type Case, keepsPromises } from './promises.ts';

underTestAlone();

const LENIENT = { Prefer: 'handling=lenient' };
const MINIMAL = { Prefer: 'return=minimal' };
const XML = { 'Content-Type': 'application/xml', Accept: 'application/xml' };
const HTML = { Accept: 'text/html' };
const two = [{ name: 'a' }, { name: 'b' }];
const many = Array.from({ length: 101 }, (_, at) => ({ name: `many ${at}` }));

/** Bulk requests: written items, single results and deferred work. */
const CASES: readonly Case[] = [
  [201, 'POST', '/members', { json: two }],
  [201, 'POST', '/members', { json: two, headers: MINIMAL }],
  [201, 'POST', '/members', { json: two, headers: { 'Idempotency-Key': 'several' } }],
  [201, 'POST', '/members', { json: two, headers: { 'Idempotency-Key': 'several' } }],
  [201, 'POST', '/members', { body: '<members><member><name>a</name></member></members>', headers: XML }],
  [201, 'POST', '/members', { json: two, headers: HTML }],
  [207, 'POST', '/members', { json: [...two, { name: 5 }], headers: LENIENT }],
  [207, 'POST', '/members', { json: [...two, { name: 5 }], headers: { ...LENIENT, ...HTML } }],
  [202, 'POST', '/members', { json: many }],
  [400, 'POST', '/members', { json: [] }],
  [400, 'POST', '/members', { json: [5] }],
  [207, 'POST', '/orders', { json: [{ productId: 1 }, {}], headers: LENIENT }],
  [409, 'POST', '/orders', { json: [{ productId: 1, customerId: 1 }] }],
  [201, 'POST', '/customers/<customer>/orders', { json: [{ productId: 1 }] }],
  [404, 'POST', '/customers/1/orders', { json: [{ productId: 1 }] }],
  [409, 'PUT', '/customers', { json: [{ id: 1, name: 'x' }] }],
  [400, 'PUT', '/customers', { json: [{ name: 'x' }] }],
  [412, 'PUT', '/customers', { json: [{ id: 1, name: 'x' }], headers: { 'If-Match': '"none"' } }],
  [415, 'PUT', '/customers', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  [207, 'PUT', '/customers', { json: [{ id: 1, name: 'x' }], headers: LENIENT }],
  [202, 'PUT', '/customers', { json: many.map((one, at) => ({ ...one, id: at + 1 })) }],
  [404, 'DELETE', '/customers/1/orders'],
  [409, 'DELETE', '/customers/<customer>/orders', { headers: { Prefer: 'max-affected=0' } }],
  [202, 'DELETE', '/customers/<customer>/orders', { headers: { Prefer: 'respond-async' } }],
  [204, 'DELETE', '/customers/<customer>/orders'],
  [412, 'DELETE', '/customers', { headers: { 'If-Match': '"none"' } }],
  [400, 'DELETE', '/customers?name=x'],
  [204, 'DELETE', '/customers'],
];

keepsPromises(CASES);
