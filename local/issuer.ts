import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter } from 'oidc-provider';
import { scopesOf } from '../shared/resource/access.ts';
import type { Resource } from '../shared/resource/resource.ts';

/** The API's name in tokens. */
const AUDIENCE = 'urn:resource-api';
/** Seconds that a token is good for. */
const TOKEN_SECONDS = 3600;
/** Two callers, so that it can be seen what each sees. Known to this issuer alone, which listens on this machine only. */
const CLIENTS = ['ada', 'bob'];

export interface Issuer {
  /** What the authorizer is told: the values of environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** How a person gets a token, line by line. */
  readonly advice: readonly string[];
  stop(): Promise<void>;
}

/**
 * An OpenID Connect issuer on this machine, certified software with keys of its own for as long as it runs: programs get
 * tokens with the credentials that they have (RFC 6749 §4.4), for the scopes that they ask for.
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
  const scopes = registry.flatMap(scopesOf).sort();
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
    adapter: () => NOTHING_KEPT,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    scopes,
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
    variables: { AUTH: 'token', ISSUER: url, AUDIENCE },
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

/** Tokens say all by themselves, and clients are known beforehand. */
const NOTHING_KEPT: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

const secretOf = (name: string): string => `${name}-secret`;
