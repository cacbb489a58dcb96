import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { sendRaw } from '../../support/client/raw.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { address, create, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const READ = ['GET', 'HEAD', 'OPTIONS'];
const FORM = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const ITEM = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const LIST = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const BULK = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const CONTROL = ['POST', 'OPTIONS'];

const forms = (collection: string): [string, string[]][] => [
  [`${collection}/new`, FORM],
  [`${collection}/{id}/edit`, FORM],
  [`${collection}/{id}/delete`, FORM],
];

/** The method matrix: the tables of section C, and Specification 1.3 and 1.4. */
const MATRIX: [string, string[]][] = [
  ['/', READ],
  ['/health', READ],
  ['/problems/not-found', READ],
  ['/openapi.json', READ],
  ['/docs', READ],
  ['/.well-known/api-catalog', READ],
  ['/.well-known/oauth-protected-resource', READ],
  ['/assets/docs.js', READ],
  ['/schemas/member', READ],
  ['/add', READ],
  ['/members', LIST],
  ['/members/{id}', [...ITEM, 'POST']],
  ...forms('/members'),
  ['/files', LIST],
  ['/files/{filename}', ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
  ['/files/{filename}/delete', FORM],
  ['/customers', BULK],
  ['/customers/{id}', ITEM],
  ...forms('/customers'),
  ['/customers/{id}/orders', BULK],
  ['/orders', LIST],
  ['/orders/{id}', ITEM],
  ...forms('/orders'),
  ['/orders/{id}/customer', READ],
  ['/orders/{id}/products', READ],
  ...['pay', 'place', 'complete', 'cancel'].map((verb): [string, string[]] => [
    `/orders/{id}/${verb}`,
    CONTROL,
  ]),
  ['/products', LIST],
  ['/products/{id}', ITEM],
  ...forms('/products'),
  ['/operations', READ],
  ['/operations/{id}', ['GET', 'HEAD', 'DELETE', 'OPTIONS']],
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];
/** No item has this id: the service refuses before it reads any storage (Specification 1.5). */
const at = (template: string, id = '1', filename = 'nothing') =>
  template.replace('{id}', id).replace('{filename}', filename);
const methodsOf = (allow: string | undefined) => (allow ?? '').split(/, */).sort();

describe('any other method gets 405 with the exact Allow before any storage is read:', () => {
  const refused = MATRIX.flatMap(([template, allowed]) =>
    METHODS.filter((method) => !allowed.includes(method)).map((method): [string, string, string[]] => [
      method,
      template,
      allowed,
    ]),
  );
  test.each(refused)('%s %s', async (method, template, allowed) => {
    const answer = await send(method, at(template), method === 'CONNECT' ? {} : { body: '' });
    expectProblem(answer, 405, 'method-not-allowed');
    expect(methodsOf(answer.headers.allow)).toEqual([...allowed].sort());
  });

  // A wrong body, a wrong query and an unacceptable format do not precede the method.
  test.each([
    ['POST', '/customers/1?nonsense=1', { 'Content-Type': 'text/nonsense' }],
    ['PUT', '/members?limit=x', { 'Content-Type': 'application/json' }],
    ['PATCH', '/files/nothing', { 'Content-Type': 'text/nonsense' }],
    ['DELETE', '/products?x=1', { Accept: 'image/png' }],
    ['POST', '/orders/1', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['POST', '/products/1', { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['POST', '/files/nothing', { 'Content-Type': 'application/json' }],
  ])('%s %s with other errors', async (method, path, headers) => {
    const answer = await send(method, path, { headers: { ...headers, 'If-Match': '"no"' }, body: '{' });
    expectProblem(answer, 405, 'method-not-allowed');
  });
});

// Specification 1.6
describe('OPTIONS gets 204 with Allow and CORS', () => {
  test.each(MATRIX)('for %s', async (template, allowed) => {
    const answer = await send('OPTIONS', at(template));
    expect(answer.status).toBe(204);
    expect(answer.bytes.length).toBe(0);
    expect(methodsOf(answer.headers.allow)).toEqual([...allowed].sort());
    expect(answer.headers['access-control-allow-headers']).toContain('If-Match');
  });

  test.each([
    ['/members/1', /application\/json-patch\+json/, /application\/merge-patch\+json/],
    ['/customers/1', /application\/json-patch\+json/, /application\/merge-patch\+json/],
    ['/orders/1', /application\/json-patch\+json/, /application\/merge-patch\+json/],
    ['/products/1', /application\/json-patch\+json/, /application\/merge-patch\+json/],
  ])('and Accept-Patch for %s', async (path, ...types) => {
    const answer = await send('OPTIONS', path);
    for (const type of atLeastOne(types)) expect(answer.headers['accept-patch']).toMatch(type);
  });

  test.each(['/members', '/customers', '/orders', '/products', '/customers/1/orders', '/files'])(
    'and Accept-Post for %s',
    async (path) => {
      expect((await send('OPTIONS', path)).headers['accept-post']).toMatch(/application\/json/);
    },
  );

  test.each(['/orders/1/pay', '/members/1/delete', '/operations/1/delete', '/files/a/delete'])(
    'and Accept-Post for the control URI %s',
    async (path) => {
      const { headers } = await send('OPTIONS', path);
      expect(headers['accept-post']).toMatch(/application\/json.*application\/x-www-form-urlencoded/);
    },
  );

  test.each(['/files/nothing', '/', '/members'])(
    'without Accept-Patch if the resource has no PATCH: %s',
    async (path) => {
      expect((await send('OPTIONS', path)).headers['accept-patch']).toBeUndefined();
    },
  );
});

describe('methods of no resource', () => {
  // Specification 1.17: also methods that HTTP libraries know. Names are case-sensitive.
  test.each(['PROPFIND', 'LOCK', 'PURGE', 'SEARCH', 'LINK', 'MKCOL', 'BREW', 'FOO', 'get', 'Post', 'X-Y_Z'])(
    'get 501: %s',
    async (method) => {
      for (const path of ['/members', '/members/1', '/files/nothing', '/']) {
        const answer = await sendRaw(
          address(),
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        );
        expect({ path, status: answer.status }).toEqual({ path, status: 501 });
        expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
        expect(JSON.parse(answer.body)).toMatchObject({ status: 501, title: expect.any(String) });
      }
    },
  );

  test.each(METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD'))(
    'get 400 as X-HTTP-Method-Override: %s',
    async (method) => {
      for (const [name, value] of [
        ['X-HTTP-Method-Override', 'DELETE'],
        ['x-http-method-override', 'GET'],
      ] as const) {
        const answer = await send(method, '/members', { headers: { [name]: value } });
        // If the service refuses the method itself, both responses are right.
        if (answer.status === 405) expect(['PUT', 'PATCH', 'DELETE', 'TRACE']).toContain(method);
        else expectProblem(answer, 400);
      }
    },
  );

  // Specification 1.16, 1.17, 4.21
  test('have no effect in fields similar to X-HTTP-Method-Override', async () => {
    const member = await create('/members', { name: unique('cousin') });
    for (const name of ['X-HTTP-Method', 'X-Method-Override']) {
      const answer = await send('GET', member.path, { headers: { [name]: 'DELETE' } });
      expect(answer.status).toBe(200);
    }
    expect((await send('GET', `${member.path}?_method=DELETE`)).status).toBe(200);
    expect((await send('HEAD', `${member.path}?_method=DELETE`)).status).toBe(200);
    expectProblem(await send('DELETE', `${member.path}?_method=GET`), 400);
    expect((await send('GET', member.path)).status).toBe(200);
  });

  test('get no echo of the request for TRACE', async () => {
    const answer = await send('TRACE', '/members', { headers: { 'X-Secret': 'do-not-echo-me' } });
    expectProblem(answer, 405);
    expect(answer.text).not.toContain('do-not-echo-me');
  });

  test('get 405 and open no tunnel for CONNECT to an authority', async () => {
    const answer = await sendRaw(address(), 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n');
    expect(answer.status).toBe(405);
    expect(answer.head).toMatch(/^allow:/im);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 405 });
  });

  // OPTIONS * asks about the server and names no resource. A response about the server and a 404 are both right.
  test('get a response for OPTIONS *', async () => {
    const answer = await sendRaw(
      address(),
      'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect([200, 204, 400, 404]).toContain(answer.status);
  });
});

// Specification 1.5, 2.51
describe('HEAD returns the header fields of GET and no body', () => {
  // Also of a refusal: RFC 9110 §8.6.
  test.each(MATRIX)('for %s', async (template) => {
    const path = template === '/add' ? '/add?operand1=1&operand2=2' : at(template);
    const [got, head] = [await send('GET', path), await send('HEAD', path)];
    expect(head.status).toBe(got.status);
    expect(head.bytes.length).toBe(0);
    const comparable = ({ headers }: typeof got) => {
      // A response to HEAD has no content to digest, and the second of a change has no date yet.
      const { date, 'content-digest': _, 'last-modified': __, ...rest } = headers;
      return rest;
    };
    expect(comparable(head)).toEqual(comparable(got));
  });
});
