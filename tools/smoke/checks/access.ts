import { connect, type SecureVersion } from 'node:tls';
import { type Check, check } from '../check.ts';
import { expectHeader, expectProblem, expectSame, expectStatus, Skipped } from '../expect.ts';
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

const TIMEOUT_MS = 10_000;

/** Tries a connection with one version of TLS. Returns the version, or the reason of the failure. */
function handshake(url: URL, version: SecureVersion): Promise<string> {
  return new Promise((done) => {
    const socket = connect({
      host: url.hostname,
      port: Number(url.port || 443),
      servername: url.hostname,
      minVersion: version,
      maxVersion: version,
      // Otherwise this client itself would refuse the old versions.
      ciphers: 'DEFAULT@SECLEVEL=0',
      timeout: TIMEOUT_MS,
    });
    const end = (how: string) => {
      socket.destroy();
      done(how);
    };
    socket.on('secureConnect', () => end(socket.getProtocol() ?? 'none'));
    socket.on('timeout', () => end('no answer'));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

function secured({ url }: Smoke): URL {
  const parsed = new URL(url);
  if (parsed.protocol === 'https:') return parsed;
  throw new Skipped('The address is not an https address');
}

/** Credentials and TLS. */
export const ACCESS: readonly Check[] = [
  // Source: RFC 9110 §11.6.1; RFC 6750 §3; Fetch, "CORS-preflight fetch".
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
    for (const path of smoke.drafts.collections) {
      const answer = await smoke.send('GET', `${path}?limit=1`);
      if (answer.status === 200) continue;
      return expectHeader(expectProblem(answer, 403), 'www-authenticate', /insufficient_scope/);
    }
    throw new Skipped('The token has too many scopes for this check');
  }),
  check('S3', 'A preflight needs no token', async (smoke) => {
    const headers = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'PATCH' };
    const answer = await smoke.anonymous('OPTIONS', await smoke.item(), { headers });
    expectStatus(answer, 200, 204);
    expectHeader(answer, 'access-control-allow-headers', /If-Match/);
    return expectHeader(answer, 'access-control-allow-methods', /PATCH/);
  }),
  check('S3', 'A public path needs no token', async (smoke) => {
    const paths = ['/health', '/openapi.json', '/problems/not-found'];
    for (const path of paths) expectStatus(await smoke.anonymous('GET', path), 200);
    return paths.join(', ');
  }),
  check('S17', 'A browser without a token is led to the login page of the issuer', async (smoke) => {
    forClosed(smoke);
    const headers = { Accept: 'text/html' };
    const answer = await smoke.anonymous('GET', '/', { headers });
    if (answer.status === 401) throw new Skipped('The pages of this service have no sign-in');
    const signIn = expectHeader(expectStatus(answer, 303), 'location', /\/sign-in\?to=/);
    const begun = await smoke.anonymous('GET', smoke.pathOf(signIn), { headers });
    const login = new URL(expectHeader(expectStatus(begun, 303), 'location', /^https?:/));
    expectHeader(begun, 'set-cookie', /^__Host-sign-in/);
    expectSame(login.searchParams.get('redirect_uri'), `${smoke.url}/sign-in/callback`, 'redirect_uri');
    for (const name of ['client_id', 'state', 'code_challenge'])
      if (!login.searchParams.get(name)) throw new Error(`${login.href} has no ${name}`);
    return login.origin + login.pathname;
  }),
  // Source: RFC 8996 (TLS 1.0 and 1.1 must not be used).
  ...(['TLSv1.2', 'TLSv1.3'] as const).map((version) =>
    check('S12', `The server accepts ${version}`, async (smoke) => {
      const how = await handshake(secured(smoke), version);
      if (how !== version) throw new Error(how);
      return how;
    }),
  ),
  check('S12', 'The server refuses TLSv1.1', async (smoke) => {
    const how = await handshake(secured(smoke), 'TLSv1.1');
    if (how === 'TLSv1.1' || how === 'no answer') throw new Error(how);
    return how;
  }),
];
