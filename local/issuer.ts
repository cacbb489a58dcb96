import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter } from 'oidc-provider';
import { AUDIT_SCOPE, scopesOf } from '../shared/resource/access.ts';
import type { Resource } from '../shared/resource/resource.ts';

/** The value of `aud` in tokens. */
const AUDIENCE = 'urn:resource-api';
/** Lifetime of a token in seconds. */
const TOKEN_SECONDS = 3600;
/**
 * Two callers, so that a tester can compare what each of them sees. Only this issuer knows them, and it listens on
 * this machine only.
 */
const CLIENTS = ['ada', 'bob'];

export interface Issuer {
  /** Environment variables of the authorizer and of the functions. */
  readonly variables: Readonly<Record<string, string>>;
  /** Instructions to get a token, one per line. */
  readonly advice: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts an OpenID Connect issuer on this machine: certified software with new keys for each run. Programs get tokens
 * with their own credentials (RFC 6749 §4.4), for the scopes that they request.
 *
 * `port`: 0 for any.
 */
export async function startIssuer(registry: readonly Resource[], port: number): Promise<Issuer> {
  const server = createServer();
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scopes = [...registry.flatMap(scopesOf), AUDIT_SCOPE].sort();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(url, {
    clients: CLIENTS.map((name) => ({
      client_id: name,
      client_secret: secretOf(name),
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    })),
    adapter: () => NO_STORAGE,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    scopes,
    // A tester chooses the tenant of a token: `-d tenant=acme`.
    extraTokenClaims: ({ oidc }) => {
      const tenant = oidc.body?.tenant;
      return typeof tenant === 'string' ? { tenant } : undefined;
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
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
  server.on('request', provider.callback());
  const [name = ''] = CLIENTS;
  return {
    variables: { AUTH: 'token', ISSUER: url, AUDIENCE, AUDIT_KEY: 'local' },
    advice: [
      `A token: curl -s -u ${name}:${secretOf(name)} -d grant_type=client_credentials -d 'scope=members:read members:write' ${url}/token`,
      `Callers: ${CLIENTS.join(', ')}. Scopes: ${scopes.join(' ')}`,
    ],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Tokens are self-contained and the clients are fixed, so the issuer stores nothing. */
const NO_STORAGE: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

const secretOf = (name: string): string => `${name}-secret`;
