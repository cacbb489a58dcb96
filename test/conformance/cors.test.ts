import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { send, underTest, unique } from '../support/under-test.ts';

underTest();

const EXPOSED =
  'ETag, Location, Link, Allow, Accept-Patch, Accept-Ranges, Content-Range, Content-Location, Retry-After, RateLimit, RateLimit-Policy, Preference-Applied, Idempotency-Replayed, Deprecation, Sunset'.split(
    ', ',
  );

const ORIGIN = 'http://localhost:5173';

/** That a page of the origin may read the answer: every page where it is deployed, those of loopback on this machine. */
const expectReadable = (answer: Answer): void =>
  expect(['*', ORIGIN]).toContain(answer.headers['access-control-allow-origin']);

// "CORS: origins by configuration, default `*` without credentials; exposed headers: …"
describe('every answer is for every origin', () => {
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
  ])('%s %s', async (method, path, status) => {
    const target = path.replace('{11000}', 'x'.repeat(11_000));
    const answer = await send(method, target, { headers: { Origin: ORIGIN } });
    // A URI that is too long may be answered 400, 413 or 414.
    if (status === 414) expect([400, 413, 414]).toContain(answer.status);
    else expect(answer.status).toBe(status);
    expectReadable(answer);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const exposed = (answer.headers['access-control-expose-headers'] ?? '').toLowerCase().split(/, */);
    for (const header of EXPOSED) expect(exposed).toContain(header.toLowerCase());
  });
});

describe('preflight', () => {
  test.each([
    ['/members/1', 'PATCH', 'content-type, if-match'],
    ['/members', 'POST', 'content-type, idempotency-key, prefer'],
    ['/files/x', 'PUT', 'content-type, if-none-match, content-digest'],
    ['/orders', 'GET', 'authorization, accept'],
    ['/customers/1', 'DELETE', 'if-match, authorization'],
  ])('%s %s with %s', async (path, method, headers) => {
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
    // Fetch: `*` stands for every name but Authorization.
    for (const name of headers.split(', ')) {
      expect(allowed.includes(name) || (allowed.includes('*') && name !== 'authorization')).toBe(true);
    }
  });

  test('of a path that is not there: an answer that a browser can read', async () => {
    const answer = await send('OPTIONS', '/nothing', { headers: { Origin: ORIGIN } });
    expect([204, 404]).toContain(answer.status);
    expectReadable(answer);
  });
});
