import { describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { sendRaw } from '../../support/client/raw.ts';
import { address, create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

interface Named {
  readonly name: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** One request for every kind of error. */
const ERRORS: [number, string, string, SentRequest][] = [
  [404, 'GET', '/members/1', {}],
  [404, 'GET', '/nothing/here', {}],
  [404, 'GET', '/files/not-there', {}],
  [404, 'GET', '/problems/nonsense', {}],
  [404, 'DELETE', '/orders/1', {}],
  [404, 'POST', '/customers/1/orders', { json: {} }],
  [405, 'PATCH', '/members', { json: {} }],
  [406, 'GET', '/members', { headers: { Accept: 'image/png' } }],
  [415, 'POST', '/members', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  [400, 'POST', '/members', { body: '{', headers: JSON_TYPE }],
  [400, 'POST', '/members', { json: { age: 'x' } }],
  [400, 'GET', '/members?limit=x', {}],
  [400, 'GET', '/add', {}],
  [400, 'GET', '/files/%2F', {}],
  [400, 'GET', '/', { headers: { 'X-HTTP-Method-Override': 'PUT' } }],
  [409, 'POST', '/orders', { json: { productId: 1, orderValue: 1, customerId: 1 } }],
  [413, 'POST', '/members', { body: `{"open":"${'x'.repeat(300_000)}"}`, headers: JSON_TYPE }],
  [413, 'POST', '/members', { body: `{"open":"${'x'.repeat(2_000_000)}"}`, headers: JSON_TYPE }],
  [413, 'PUT', '/files/large', { body: Buffer.alloc(4_200_000) }],
  [413, 'PUT', '/files/larger', { body: Buffer.alloc(7_000_000) }],
  [412, 'PUT', '/files/not-there', { body: 'x', headers: { 'If-Match': '"x"' } }],
  [501, 'PROPFIND', '/members', {}],
];

describe('every error is a problem of RFC 9457', () => {
  test.each(ERRORS)('%i: %s %s', async (status, method, path, sent) => {
    const answer = await send(method, path, sent);
    expectProblem(answer, status);
    const body = answer.json();
    expect(body.instance).toBe(path.replace(/\?.*$/, ''));
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['cache-control'] ?? 'no-store').toMatch(/no-store|no-cache|private/);
    const placesOf = (fault: object) => ['pointer', 'parameter', 'header'].filter((name) => name in fault);
    const wrong = (body.errors ?? []).filter(
      (fault) => typeof fault.detail !== 'string' || placesOf(fault).length !== 1,
    );
    expect(wrong).toEqual([]);
    // Specification 10.3
    const type = await get(body.type);
    expect(type.status).toBe(200);
    expect(type.json()).toMatchObject({ title: body.title, status });
  });

  test('for a patch that cannot be applied, a malformed patch and a range beyond the end', async () => {
    const member = await create('/members', { name: unique('p') });
    const headers = { 'Content-Type': 'application/json-patch+json' };
    const conflict = await send('PATCH', member.path, { body: '[{"op":"remove","path":"/x"}]', headers });
    expectProblem(conflict, 409, 'patch-conflict');
    const malformed = await send('PATCH', member.path, { body: '[{"op":"x"}]', headers });
    expectProblem(malformed, 400, 'malformed-patch');
    const path = `/files/${unique('p')}`;
    await send('PUT', path, { body: 'x' });
    const range = await get(path, { Range: 'bytes=9-' });
    expectProblem(range, 416, 'range-not-satisfiable');
    for (const answer of [conflict, malformed, range])
      expect((await get(answer.json().type)).status).toBe(200);
  });

  test('with its own requestId for each request', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await get('/members/1')).json().requestId),
    );
    expect(new Set(ids).size).toBe(10);
  });

  test('with the path as plain data: no markup, no header, no other type', async () => {
    const answer = await get('/%3Cscript%3Ealert(1)%3C%2Fscript%3E', { Accept: 'text/html' });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('<script>');
  });

  test('for errors of the HTTP parser too', async () => {
    const answer = await sendRaw(address(), 'GET / HTTP/1.1\r\nBad Header: 1\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
    // RFC 9110 §6.6.1: "An origin server with a clock MUST generate a Date header field in all … 4xx".
    expect(answer.head).toMatch(/^date: \w{3}, \d{2} .* GMT$/im);
    expect(JSON.parse(answer.body)).toMatchObject({
      type: expect.stringMatching(/\/problems\//),
      title: expect.any(String),
      status: 400,
      requestId: expect.any(String),
    });
  });
});

// The names of problems. Each name has a document.
describe('/problems/{type}', () => {
  test.each([
    ['not-found', 404],
    ['method-not-allowed', 405],
    ['not-acceptable', 406],
    ['unsupported-media-type', 415],
    ['malformed-request', 400],
    ['malformed-body', 400],
    ['validation-error', 400],
    ['malformed-patch', 400],
    ['digest-invalid-values', 400],
    ['digest-mismatched-values', 400],
    ['request-timeout', 408],
    ['patch-conflict', 409],
    ['conflict', 409],
    ['invalid-transition', 409],
    ['precondition-failed', 412],
    ['precondition-required', 428],
    ['range-not-satisfiable', 416],
    ['payload-too-large', 413],
    ['too-many-requests', 429],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['operation-finished', 409],
    ['timeout', 504],
    ['unavailable', 503],
    ['internal', 500],
    ['unreadable-item', 500],
  ])('describes %s', async (name, status) => {
    const answer = await get(`/problems/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ title: expect.any(String), status });
    const head = await send('HEAD', `/problems/${name}`);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });
});

// Specification 10.5, 13.1
test('the names of problems are those of the specification, one for each status that has none there, and one for items', async () => {
  const specified =
    'not-found method-not-allowed not-acceptable unsupported-media-type malformed-request malformed-body validation-error ' +
    'malformed-patch patch-conflict conflict invalid-transition precondition-failed precondition-required ' +
    'range-not-satisfiable payload-too-large too-many-requests unauthenticated forbidden operation-finished ' +
    'timeout unavailable internal';
  const others = {
    'request-timeout': 408,
    gone: 410,
    'uri-too-long': 414,
    'misdirected-request': 421,
    'idempotency-key-reused': 422,
    'headers-too-large': 431,
    'not-implemented': 501,
    'bad-gateway': 502,
  };
  // Specification 10.12
  const registered = ['digest-invalid-values', 'digest-mismatched-values'];
  const { paths } = JSON.parse((await get('/openapi.json')).text);
  const [{ schema }] = paths['/problems/{type}'].parameters.filter(({ name }: Named) => name === 'type');
  expect([...schema.enum].sort()).toEqual(
    [...specified.split(' '), ...Object.keys(others), ...registered, 'unreadable-item'].sort(),
  );
  const statuses = new Map<number, string[]>();
  for (const name of schema.enum) {
    const { status } = (await get(`/problems/${name}`)).json() as unknown as { status: number };
    statuses.set(status, [...(statuses.get(status) ?? []), name]);
  }
  for (const [name, status] of Object.entries(others)) expect(statuses.get(status)).toEqual([name]);
});
