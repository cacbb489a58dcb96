import { expect, test } from '@jest/globals';
import { breaks } from '../../openapi/evolution/breaks.ts';
import { withoutLeftOut } from '../../openapi/evolution/left-out.ts';
import { sentenceOf } from '../../openapi/evolution/sentence.ts';
import type { OpenApi } from '../../openapi/model.ts';

const JSON_AND = (...types: readonly string[]) =>
  Object.fromEntries(['application/json', ...types].map((type) => [type, { schema: { type: 'object' } }]));

const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });

/** A description as releases before had it. */
const former = () => ({
  openapi: '3.1.1',
  paths: {
    '/things': {
      get: {
        operationId: 'getThings',
        parameters: [header('If-Modified-Since'), header('X-Own')],
        responses: {
          200: {
            headers: { ETag: {}, Vary: {} },
            content: JSON_AND('text/html', 'text/csv', 'text/xml', 'application/xml'),
          },
          406: {},
        },
      },
      head: { operationId: 'headThings', responses: { 200: {} } },
      options: { operationId: 'optionsThings', responses: { 204: {} } },
      post: {
        operationId: 'postThings',
        requestBody: { required: true, content: JSON_AND('application/x-www-form-urlencoded') },
        responses: { 201: { content: JSON_AND() }, 303: {} },
      },
    },
    '/things/new': { get: { operationId: 'getThingsNew', responses: { 200: {} } } },
    '/things/{id}?fields=image': {
      get: { operationId: 'getThingsByIdImage', responses: { 200: { content: { 'image/*': {} } } } },
    },
    '/things/{id}/pay': {
      get: { operationId: 'getThingsByIdPay', responses: { 200: {} } },
      post: {
        operationId: 'postThingsByIdPay',
        requestBody: { content: JSON_AND() },
        responses: { 204: {} },
      },
    },
  },
});

/** The same service as this release describes it. */
const present = () => ({
  openapi: '3.1.1',
  paths: {
    '/things': {
      get: {
        operationId: 'getThings',
        parameters: [header('X-Own')],
        responses: { 200: { headers: { ETag: {} }, content: JSON_AND('application/xml') }, default: {} },
      },
      post: {
        operationId: 'postThings',
        requestBody: { required: true, content: JSON_AND() },
        responses: { 201: { content: JSON_AND() } },
      },
    },
    '/things/{id}/image': {
      get: {
        operationId: 'getThingsByIdImage',
        responses: { 200: { content: { 'image/png': {}, 'image/*': {} } } },
      },
    },
    '/things/{id}/pay': { post: { operationId: 'postThingsByIdPay', responses: { 204: {} } } },
  },
});

const compared = (now: unknown) => withoutLeftOut(former() as unknown as OpenApi, now as OpenApi);

test('the comparison says what descriptions leave out, and finds no break in it', () => {
  const { document, left } = compared(present());
  expect(breaks(document, present() as unknown as OpenApi)).toEqual([]);
  expect(left).toEqual([
    '1 header fields of requests',
    '1 header fields of responses',
    '4 contents in other formats',
    '1 operations of HEAD',
    '1 operations of OPTIONS',
    '1 redirects of browsers',
    '2 paths of forms',
    '1 contents that the service ignores',
  ]);
});

type Change = (now: ReturnType<typeof present>) => void;

test.each<[string, Change]>([
  [
    'GET /things: answer 200: application/xml is gone',
    ({ paths }) => {
      Reflect.deleteProperty(paths['/things'].get.responses[200].content, 'application/xml');
    },
  ],
  [
    'GET /things: answer 200: header field ETag is gone',
    ({ paths }) => {
      Reflect.deleteProperty(paths['/things'].get.responses[200].headers, 'ETag');
    },
  ],
  [
    'GET /things: header parameter X-Own is gone',
    ({ paths }) => {
      paths['/things'].get.parameters.pop();
    },
  ],
  [
    '/things/{id}/image is gone',
    ({ paths }) => {
      Reflect.deleteProperty(paths, '/things/{id}/image');
    },
  ],
  [
    'POST /things is gone',
    ({ paths }) => {
      Reflect.deleteProperty(paths['/things'], 'post');
    },
  ],
])('and it finds what a client sees: %s', (sentence, change) => {
  const now = present();
  change(now);
  const { document } = compared(now);
  expect(breaks(document, now as unknown as OpenApi).map(sentenceOf)).toEqual([sentence]);
});
