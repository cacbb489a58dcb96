import { expect, test } from '@jest/globals';
import { ordinaryRequest } from '../../../pages/browser/ordinary-request.ts';
import { ask } from '../flow/steps/books.ts';

const HTML = { accept: 'text/html' };
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
const ASYNC = { prefer: 'respond-async, wait=2' };

test.each([
  ['GET /books?title=', {}, { title: [''] }, undefined],
  ['GET /books/new?title=', HTML, { title: [''] }, undefined],
  ['GET /books?:count=1', HTML, { ':count': ['1'] }, 'count=exact'],
  ['GET /books?:count=', { ...HTML, prefer: 'wait=1' }, { ':count': [''] }, 'wait=1, count=exact'],
  ['GET /books?:count=1', {}, { ':count': ['1'] }, undefined],
  ['GET /books/7?:count=1', HTML, { ':count': ['1'] }, undefined],
  ['POST /books/7/edit', { ...FORM, ...ASYNC }, {}, ' wait=2'],
  ['POST /books/7/edit', { ...FORM, prefer: 'respond-async' }, {}, ''],
  ['POST /books/7/edit', { ...HTML, ...ASYNC }, {}, ASYNC.prefer],
  ['POST /books/7/edit', { ...FORM, ...ASYNC, accept: 'application/json' }, {}, ASYNC.prefer],
])('%s with %j has the query %j and prefers %j', (line, headers, query, prefer) => {
  const { request, resource } = ask(line, headers);
  const ordinary = ordinaryRequest(resource, request);
  expect(Object.fromEntries(ordinary.query)).toEqual(query);
  expect(ordinary.headers.prefer).toBe(prefer);
});
