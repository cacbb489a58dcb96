import { expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { create, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const READ_AS_FORM =
  'The service read this JSON as a form, because Content-Type names a form. Send Content-Type: application/json';
const NO_BODY = 'The request has no body. Send one, and its media type in Content-Type';
const ABSENT = 'Follow links from a list or from the home document';
const WRONG_BODY = 'The body is not valid. Correct the named properties';

/** Requests that clients get wrong, each with the status and the sentence that says what to do next. */
const REQUESTS: readonly (readonly [
  method: string,
  path: string,
  sent: SentRequest,
  status: number,
  detail: string,
])[] = [
  ['POST', '/customers', { headers: FORM_TYPE, body: '{"name":"Acme"}' }, 400, READ_AS_FORM],
  ['POST', '/customers', { headers: FORM_TYPE, body: ' [{"name":"a=b"}]' }, 400, READ_AS_FORM],
  ['POST', '/members', {}, 400, NO_BODY],
  ['POST', '/files', {}, 400, NO_BODY],
  ['POST', '/members', { headers: JSON_TYPE }, 400, NO_BODY],
  ['POST', '/members', { headers: FORM_TYPE }, 400, 'The form is empty. Fill in at least one input'],
  ['POST', '/members', { json: { age: -1 } }, 400, WRONG_BODY],
  ['POST', '/members', { json: {} }, 400, 'The body has no property that a client can set. Add one'],
  [
    'POST',
    '/members',
    { headers: JSON_TYPE, body: '{"age":' },
    400,
    'The body is not valid application/json. Correct it at the place in errors',
  ],
  ['GET', '/members?limit=no', {}, 400, 'The query is not valid. Correct the named parameters'],
  ['GET', '/members/1', {}, 404, `There is no /members/1. ${ABSENT}`],
  ['GET', '/customers/1/orders', {}, 404, `There is no customer 1. ${ABSENT}`],
  ['GET', '/x/y/z', {}, 404, 'Nothing is at this path. Follow links from the home document'],
  ['GET', '/api/members/5', {}, 404, 'Nothing is at this path. Perhaps you mean a path in links'],
  [
    'PUT',
    '/members',
    { json: {} },
    405,
    'PUT is not a method of /members. Use one of GET, HEAD, POST, OPTIONS',
  ],
  [
    'POST',
    '/orders',
    { json: { customerId: 1, quantity: 1, productId: 1 } },
    409,
    'There is no customer 1. Create it first, or name another',
  ],
  [
    'PUT',
    '/files/none-of-these.txt',
    { headers: { 'If-Match': '"1"' }, body: 'x' },
    412,
    'The resource does not exist. Create it by a request without If-Match',
  ],
];

test.each(REQUESTS)('%s %s says what to do next: %j', async (method, path, sent, status, detail) => {
  const answer = await send(method, path, sent);
  expect({ status: answer.status, detail: answer.json().detail }).toEqual({ status, detail });
});

// Specification 3.6
test.each([
  ['another state', () => ({ 'If-Match': '"old"' }), /in another state.*send its new ETag in If-Match/],
  ['a weak tag', (etag: string) => ({ 'If-Match': `W/${etag}` }), /If-Match is weak.*Send it without W\//],
  ['a state that exists', () => ({ 'If-None-Match': '*' }), /exists in a state that If-None-Match excludes/],
  ['its own state', (etag: string) => ({ 'If-None-Match': etag }), /that If-None-Match excludes/],
  ['a weak tag of another state', () => ({ 'If-Match': 'W/"old"' }), /in another state/],
] as const)('a 412 for %s says how to send the change again', async (_, headersOf, detail) => {
  const { path, etag } = await create('/members', { username: unique('advice') });
  for (const method of ['PUT', 'DELETE']) {
    const content = method === 'PUT' ? { json: { username: 'x' } } : {};
    const answer = await send(method, path, { headers: headersOf(etag), ...content });
    expect({ status: answer.status, detail: answer.json().detail }).toEqual({
      status: 412,
      detail: expect.stringMatching(detail),
    });
  }
});

test('a refused transition names the ones that the state allows', async () => {
  const { path } = await create('/orders', { productId: 1, quantity: 1 });
  const answer = await send('POST', `${path}/complete`);
  expect(answer.json().detail).toBe("This order is created: 'complete' is not allowed. Use pay or cancel");
});

test('the body of a form may be JSON if a button sends no values', async () => {
  const { path } = await create('/orders', { productId: 1, quantity: 1 });
  expect((await send('POST', `${path}/pay`, { headers: FORM_TYPE, body: '{}' })).status).toBe(200);
});

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** Each method of the API description that takes content, with its first media type. */
async function requestsWithContent(): Promise<(readonly [method: string, path: string, type: string])[]> {
  const { paths } = JSON.parse((await send('GET', '/openapi.json')).text);
  return Object.entries<Readonly<Record<string, Described>>>(paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const path = template.replace('{filename}', 'large.txt').replace(/\{\w+\}/g, '1');
      const [type] = Object.keys(requestBody?.content ?? {});
      return type === undefined ? [] : [[method.toUpperCase(), path, type] as const];
    }),
  );
}

// Specification 5.15
test('of all routes, only that of a file advises to announce the file', async () => {
  const advising: string[] = [];
  const requests = await requestsWithContent();
  expect(requests.length).toBeGreaterThan(20);
  for (const [method, path, type] of requests) {
    const size = /^image\/|octet-stream$/.test(type) ? 4_200_000 : 1_000_001;
    const body = Buffer.alloc(size, 'x');
    const refused = await send(method, path, { headers: { 'Content-Type': type }, body });
    if (refused.text.includes('POST /files')) advising.push(`${method} ${path}`);
  }
  expect(advising).toEqual(['PUT /files/large.txt']);
}, 30_000);

// Specification 5.15, 10.10
test.each([
  ['PUT', '/files/large.txt'],
  ['PUT', '/products/1?fields=productImage'],
  ['POST', '/orders'],
])(
  'the gateway does not know the route of a content above 6 MB, so it advises for each: %s %s',
  async (...to) => {
    const { status, json } = await send(...to, { body: Buffer.alloc(7_000_000) });
    expect(status).toBe(413);
    const { detail, maximum, links } = json();
    expect(detail).toBe(
      'One request can have at most 4194304 bytes of a file, or 1000000 of other content. Announce larger files of /files with POST /files, and send less of anything else',
    );
    expect(maximum).toBeUndefined();
    const title = 'Links for larger uploads';
    expect(links).toEqual([{ rel: 'files', href: '/files', method: 'POST', title }]);
  },
);
