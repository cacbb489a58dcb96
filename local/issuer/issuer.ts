import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type ClientMetadata } from 'oidc-provider';
import { SIGN_IN, SIGN_OUT } from '../../shared/http/sign-in.ts';
import { WIDE_SCOPES } from '../../shared/resource/access/access.ts';
import { fieldScopesOf, scopesOf } from '../../shared/resource/access/scopes.ts';
import { AUDIT_SCOPE } from '../../shared/resource/access/sight.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { isLogin, login, loginPath, logoutPage, PEOPLE } from './login.ts';

/** The value of `aud` in tokens. */
const AUDIENCE = 'urn:resource-api';
/** Lifetime of a token in seconds. */
const TOKEN_SECONDS = 3600;
/**
 * Two callers, so that a tester can compare what each of them sees. Only this issuer knows them, and it listens on
 * this machine only.
 */
const CLIENTS = Object.keys(PEOPLE);
/** The client for the sign-in on pages. */
const PAGES_CLIENT = 'pages';
/** The hosts of this machine: a native client can use any port of them. Source: RFC 8252 §7.3. */
const HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

export interface Issuer {
  /** Environment variables of the authorizer and of the functions. */
  readonly variables: Readonly<Record<string, string>>;
  /** The client for the sign-in on pages. */
  readonly pagesClient: string;
  /** Instructions to get a token, one per line. */
  readonly advice: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts an OpenID Connect issuer on this machine: certified software with new keys for each run. Programs get tokens
 * with their own credentials (RFC 6749 §4.4), for the scopes that they request. People sign in on its login page.
 *
 * `port`: 0 for any. `basePath`: the path before the service's own paths.
 */
export async function startIssuer(
  registry: readonly Resource[],
  { port, basePath }: { readonly port: number; readonly basePath: string },
): Promise<Issuer> {
  const server = createServer();
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scopes = [
    ...new Set([
      ...registry.flatMap(scopesOf),
      ...registry.flatMap(fieldScopesOf),
      ...WIDE_SCOPES,
      AUDIT_SCOPE,
    ]),
  ].sort();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(url, {
    clients: [...programs(), pagesClient(basePath)],
    adapter: inMemory,
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, name: PEOPLE[accountId] ?? accountId }),
    }),
    claims: { openid: ['sub'], profile: ['name'] },
    // The identity token carries the name, so the service needs no other request.
    conformIdTokenClaims: false,
    interactions: { url: (_, { uid }) => loginPath(uid) },
    // As with Amazon Cognito, several tabs can renew a token at the same time.
    rotateRefreshToken: false,
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    scopes: [...scopes, 'offline_access'],
    // A tester chooses the tenant of a token: `-d tenant=acme`.
    extraTokenClaims: ({ oidc }) => {
      const tenant = oidc.body?.tenant;
      return typeof tenant === 'string' ? { tenant } : undefined;
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.body = await logoutPage(form);
        },
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        defaultResource: () => AUDIENCE,
        getResourceServerInfo: () => ({
          scope: scopes.join(' '),
          audience: AUDIENCE,
          accessTokenTTL: TOKEN_SECONDS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (!isLogin(request)) return serve(request, response);
    return login(provider, { audience: AUDIENCE, scopes }, request, response).catch(() =>
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Begin the sign-in again.'),
    );
  });
  const [name = ''] = CLIENTS;
  return {
    variables: { AUTH: 'token', ISSUER: url, AUDIENCE, AUDIT_KEY: 'local' },
    pagesClient: PAGES_CLIENT,
    advice: [
      `A token: curl -s -u ${name}:${secretOf(name)} -d grant_type=client_credentials -d 'scope=all:read all:write' ${url}/token`,
      `Callers: ${CLIENTS.join(', ')}. Scopes: ${scopes.join(' ')}`,
    ],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Programs with credentials of their own. */
const programs = (): ClientMetadata[] =>
  CLIENTS.map((name) => ({
    client_id: name,
    client_secret: secretOf(name),
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    id_token_signed_response_alg: 'ES256',
  }));

/** Returns the pages of the service. A browser client has no secret: its proof is the code verifier. Source: RFC 7636. */
const pagesClient = (basePath: string): ClientMetadata => ({
  client_id: PAGES_CLIENT,
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: HOSTS.map((host) => `http://${host}${basePath}${SIGN_IN}/callback`),
  post_logout_redirect_uris: HOSTS.map((host) => `http://${host}${basePath}${SIGN_OUT}`),
  id_token_signed_response_alg: 'ES256',
});

const secretOf = (name: string): string => `${name}-secret`;

/** The records of the issuer by kind and identifier. They live as long as the process. */
const records = new Map<string, AdapterPayload>();

/**
 * Stores sign-ins, codes and refresh tokens in memory. The store of the library would print a warning at each start.
 */
function inMemory(kind: string): Adapter {
  const key = (id: string) => `${kind} ${id}`;
  const find = async (id: string) => records.get(key(id));
  const first = (fits: (one: AdapterPayload) => boolean) =>
    [...records].find(([name, one]) => name.startsWith(`${kind} `) && fits(one))?.[1];
  return {
    upsert: async (id, payload) => {
      records.set(key(id), payload);
    },
    find,
    findByUserCode: async (userCode) => first((one) => one.userCode === userCode),
    findByUid: async (uid) => first((one) => one.uid === uid),
    consume: async (id) => {
      const found = await find(id);
      if (found) found.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      records.delete(key(id));
    },
    revokeByGrantId: async (grantId) => {
      for (const [name, one] of records) if (one.grantId === grantId) records.delete(name);
    },
  };
}
