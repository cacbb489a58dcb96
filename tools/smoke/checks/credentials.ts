import { type Check, check } from '../check.ts';
import { expectHeader, expectProblem, expectStatus, Skipped } from '../expect.ts';
import type { Smoke } from '../smoke.ts';

const forClosed = ({ isClosed }: Smoke): void => {
  if (!isClosed) throw new Skipped('The service is open and requires no credentials');
};

/** A forged signature. */
const FORGED = [
  { alg: 'RS256', kid: 'none' },
  { iss: 'unknown', sub: 'unknown', scope: 'members:read' },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')
  .concat('.AAAA');

/** Source: RFC 9110 §11.6.1; RFC 6750 §3; Fetch, "CORS-preflight fetch". */
export const CREDENTIALS: readonly Check[] = [
  check(
    'S3',
    'Without a token: 401, a problem, WWW-Authenticate under its own name, readable for scripts',
    async (smoke) => {
      forClosed(smoke);
      const headers = { Origin: 'http://localhost' };
      const answer = expectProblem(await smoke.anonymous('GET', smoke.collection, { headers }), 401);
      expectHeader(answer, 'access-control-allow-origin', /./);
      return expectHeader(answer, 'www-authenticate', /^Bearer /);
    },
  ),
  check('S3', 'With a forged token: 401', async (smoke) => {
    forClosed(smoke);
    const headers = { Authorization: `Bearer ${FORGED}` };
    return expectHeader(
      expectProblem(await smoke.anonymous('GET', smoke.collection, { headers }), 401),
      'www-authenticate',
      /^Bearer /,
    );
  }),
  check('S3', 'With a token that lacks a scope: 403, a problem, insufficient_scope', async (smoke) => {
    forClosed(smoke);
    const answer = await smoke.send('GET', '/customers?limit=1');
    if ([200, 404].includes(answer.status)) throw new Skipped('The token has too many scopes for this check');
    return expectHeader(expectProblem(answer, 403), 'www-authenticate', /insufficient_scope/);
  }),
  check('S3', 'A preflight needs no token', async (smoke) => {
    const headers = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'PATCH' };
    const answer = await smoke.anonymous('OPTIONS', (await smoke.item()).path, { headers });
    expectStatus(answer, 200, 204);
    expectHeader(answer, 'access-control-allow-headers', /If-Match/);
    return expectHeader(answer, 'access-control-allow-methods', /PATCH/);
  }),
  check('S3', 'A public path needs no token', async (smoke) => {
    const paths = ['/health', '/openapi.json', '/problems/not-found'];
    for (const path of paths) expectStatus(await smoke.anonymous('GET', path), 200);
    return paths.join(', ');
  }),
];
