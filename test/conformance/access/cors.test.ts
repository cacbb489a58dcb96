import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const EXPOSED =
  'ETag, Location, Link, Link-Template, Memento-Datetime, Allow, Accept-Patch, Accept-Post, Accept-Ranges, Content-Range, Content-Location, Content-Digest, Repr-Digest, Retry-After, RateLimit, RateLimit-Policy, Preference-Applied, Idempotency-Replayed, Cache-Groups, Cache-Group-Invalidation, Deprecation, Sunset, WWW-Authenticate'.split(
    ', ',
  );

const ORIGIN = 'http://localhost:5173';

/** Checks that pages of the origin may read the response: all origins when deployed, loopback origins locally. */
const expectReadable = (answer: Answer): void =>
  expect(['*', ORIGIN]).toContain(answer.headers['access-control-allow-origin']);

// Specification 11.7
describe('every origin may read the response', () => {
  const name = unique('cors');
  test.each([
    ['GET', '/', 200],
    ['GET', '/members', 200],
    ['GET', '/members/1', 404],
    ['HEAD', '/members', 200],
    ['PUT', '/members', 405],
    ['PUT', `/files/${name}`, 201],
    ['GET', `/files/${name}`, 200],
    ['DELETE', `/files/${name}`, 204],
    ['GET', '/nothing', 404],
    ['GET', '/members/', 308],
    ['GET', '/members?x={11000}', 414],
    ['PROPFIND', '/members', 501],
  ])('to %s %s', async (method, path, status) => {
    const target = path.replace('{11000}', 'x'.repeat(11_000));
    const answer = await send(method, target, { headers: { Origin: ORIGIN } });
    // For a URI that is too long, 400, 413 and 414 are all right.
    if (status === 414) expect([400, 413, 414]).toContain(answer.status);
    else expect(answer.status).toBe(status);
    expectReadable(answer);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const exposed = (answer.headers['access-control-expose-headers'] ?? '').toLowerCase().split(/, */);
    for (const header of EXPOSED) expect(exposed).toContain(header.toLowerCase());
  });
});

// Specification 11.7
test('a response to a program exposes no header fields, and varies by Origin', async () => {
  const { headers } = await send('GET', '/members');
  expect(headers['access-control-expose-headers']).toBeUndefined();
  expect(headers.vary).toMatch(/\bOrigin\b/);
});

describe('preflight', () => {
  test.each([
    ['/members/1', 'PATCH', 'content-type, if-match'],
    ['/members', 'POST', 'content-type, idempotency-key, prefer'],
    ['/files/x', 'PUT', 'content-type, if-none-match, content-digest'],
    ['/orders', 'GET', 'authorization, accept'],
    ['/customers/1', 'DELETE', 'if-match, authorization'],
    ['/members', 'GET', 'cache-control, pragma, x-requested-with'],
    ['/members', 'POST', 'traceparent, tracestate, baggage'],
  ])('for %s %s with %s gets 204', async (path, method, headers) => {
    const answer = await send('OPTIONS', path, {
      headers: {
        Origin: ORIGIN,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': headers,
      },
    });
    expect(answer.status).toBe(204);
    expectReadable(answer);
    expect((answer.headers['access-control-allow-methods'] ?? '').split(/, */)).toContain(method);
    const allowed = (answer.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/, */);
    // Fetch: `*` matches every name except Authorization.
    for (const name of headers.split(', ')) {
      expect(allowed.includes(name) || (allowed.includes('*') && name !== 'authorization')).toBe(true);
    }
  });

  test('for a missing path gets a response that a browser can read', async () => {
    const answer = await send('OPTIONS', '/nothing', { headers: { Origin: ORIGIN } });
    expect([204, 404]).toContain(answer.status);
    expectReadable(answer);
    // Fetch: without the field, only GET, HEAD and POST are allowed. An empty list of methods means nothing more.
    if (answer.status === 404) expect(answer.headers['access-control-allow-methods']).toBeUndefined();
  });
});
