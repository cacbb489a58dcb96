import { underTestAlone } from '../support/service/under-test.ts';
import { type Case, FORM, keepsPromises, MERGE } from './promises.ts';

underTestAlone();

const LATER = { Prefer: 'respond-async' };
const HTML = { Accept: 'text/html' };
const XML = { Accept: 'application/xml' };
const DELETION = [{ op: 'remove', path: '/none' }];

/** Deferred requests: acceptance, status and list. */
const CASES: readonly Case[] = [
  [202, 'POST', '/members', { json: { name: 'x' }, headers: LATER }],
  [202, 'POST', '/members', { json: { name: 'x' }, headers: { ...LATER, ...XML } }],
  [202, 'POST', '/members', { json: { name: 'x' }, headers: { ...LATER, ...HTML } }],
  [202, 'POST', '/members', { json: { name: 'x' }, headers: { ...LATER, 'Idempotency-Key': 'later' } }],
  [202, 'POST', '/members', { json: { name: 'x' }, headers: { ...LATER, 'Idempotency-Key': 'later' } }],
  [303, 'POST', '/members/new', { body: 'name=x', headers: { ...FORM, ...HTML, ...LATER } }],
  [201, 'POST', '/members', { json: { name: 'x' }, headers: { Prefer: 'respond-async, wait=20' } }],
  [202, 'PUT', '/members/<member>', { json: { name: 'x' }, headers: LATER }],
  [202, 'PATCH', '/members/<member>', { json: { age: 1 }, headers: { ...MERGE, ...LATER } }],
  [
    409,
    'PATCH',
    '/members/<member>',
    { json: DELETION, headers: { ...LATER, 'Content-Type': 'application/json-patch+json' } },
  ],
  [202, 'POST', '/orders/<order>/pay', { headers: LATER }],
  [202, 'PUT', '/files/<file>', { body: 'later', headers: LATER }],
  [202, 'POST', '/files', { json: [{ filename: 'later', content: 'SGk=' }], headers: LATER }],
  [
    202,
    'PUT',
    '/products/<product>?fields=productImage',
    { body: 'x', headers: { ...LATER, 'Content-Type': 'image/png' } },
  ],
  [404, 'DELETE', '/members/1', { headers: LATER }],
  [202, 'DELETE', '/members/<member>', { headers: LATER }],
  [200, 'GET', '/operations'],
  [200, 'GET', '/operations', { headers: HTML }],
  [200, 'GET', '/operations?status=Succeeded', { headers: XML }],
  [400, 'GET', '/operations?status=Done'],
  [200, 'GET', '/operations/<done>'],
  [200, 'GET', '/operations/<done>', { headers: HTML }],
  [200, 'HEAD', '/operations/<done>'],
  [304, 'GET', '/operations/<done>', { headers: { 'If-None-Match': '*' } }],
  [412, 'GET', '/operations/<done>', { headers: { 'If-Match': '"none"' } }],
  [303, 'GET', '/operations/<new>'],
  [200, 'GET', '/operations/<new>', { headers: HTML }],
  [303, 'HEAD', '/operations/<new>'],
  [404, 'GET', '/operations/1'],
  [409, 'DELETE', '/operations/<done>'],
  [409, 'DELETE', '/operations/<done>', { headers: { 'If-Match': '"none"' } }],
  [404, 'DELETE', '/operations/1'],
  [409, 'GET', '/operations/<done>/delete'],
  [409, 'POST', '/operations/<done>/delete', { headers: HTML }],
];

keepsPromises(CASES);
