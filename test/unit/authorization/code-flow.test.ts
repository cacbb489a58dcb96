import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { AuthorizationServer } from 'oauth4webapi';
import {
  authorizationUrl,
  endSessionUrl,
  metadataOf,
  renewTokens,
  type Secrets,
  signedIn,
} from '../../../functions/signin/code-flow.ts';
import { Unavailable } from '../../../shared/http/problem.ts';

/** An issuer that makes one fault. Source: OpenID Connect Core 1.0 §3.1.3.7; RFC 6749 §5.1. */
const client = { id: 'pages', callback: 'https://api.example/sign-in/callback' };
// RFC 7636, appendix B
const secrets: Secrets = {
  state: 'state',
  nonce: 'nonce',
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};
const OTHER_SIGN_IN = { kind: 'failed', because: 'The issuer has sent the identity of another sign-in' };

let server: Server;
/** True if the issuer drops the next connection. */
let isCold = false;
let issuer: string;
let metadata: AuthorizationServer;
let respond: () => Promise<{ status: number; body: unknown }>;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;

/** A response of the token endpoint. `undefined` removes a claim or a member. */
async function tokens(claims: object = {}, members: object = {}, key = keys.privateKey) {
  const now = Math.floor(Date.now() / 1000);
  const stated = {
    iss: issuer,
    aud: 'pages',
    sub: '7',
    iat: now,
    exp: now + 60,
    nonce: 'nonce',
    name: 'Ada',
  };
  const payload = JSON.parse(JSON.stringify({ ...stated, ...claims }));
  const id_token = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key);
  return { access_token: 'access', refresh_token: 'again', token_type: 'Bearer', id_token, ...members };
}

const answerWith = (body: () => Promise<unknown>, status = 200) => {
  respond = async () => ({ status, body: await body() });
};

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  server = createServer(async ({ url = '' }, response) => {
    if (isCold) {
      isCold = false;
      response.destroy();
      return;
    }
    const { status, body } = await (url === '/.well-known/openid-configuration'
      ? {
          status: 200,
          body: {
            issuer,
            jwks_uri: `${issuer}/keys`,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            scopes_supported: ['openid', 'profile', 'offline_access'],
            authorization_response_iss_parameter_supported: true,
          },
        }
      : url === '/keys'
        ? { status: 200, body: { keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'RS256', kid: 'k' }] } }
        : respond());
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  metadata = await metadataOf(issuer);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => answerWith(tokens));

const finish = (more: Record<string, string> = {}) =>
  signedIn(
    new URLSearchParams({ code: 'x', state: 'state', iss: issuer, ...more }),
    metadata,
    client,
    secrets,
  );

// Specification 11.9
test('asks for a code with PKCE, and for the scopes that the issuer knows', async () => {
  const { searchParams } = new URL(await authorizationUrl(metadata, client, secrets, ['members:read']));
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'pages',
    redirect_uri: client.callback,
    scope: 'openid profile offline_access members:read',
    state: 'state',
    nonce: 'nonce',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
});

test('gets the tokens and the name of the person', async () => {
  const signed = { kind: 'signed-in', tokens: { access: 'access', refresh: 'again' }, person: 'Ada' };
  expect(await finish()).toEqual(signed);
  answerWith(() => tokens({ aud: ['pages', 'other'], azp: 'pages', auth_time: 1 }));
  expect(await finish()).toEqual(signed);
});

describe('refuses', () => {
  test.each<[string, object, object]>([
    ['two audiences without an authorized party', { aud: ['pages', 'other'] }, {}],
    [
      'two audiences with the authorized party of another client',
      { aud: ['pages', 'other'], azp: 'other' },
      {},
    ],
    ['the authorized party of another client', { azp: 'other' }, {}],
    ['another audience', { aud: 'other' }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['another nonce', { nonce: 'other' }, {}],
    ['no nonce', { nonce: undefined }, {}],
    ['an expired token', { exp: 1 }, {}],
    ['auth_time as a text', { auth_time: '1' }, {}],
    ['no token_type', {}, { token_type: undefined }],
    ['another token_type', {}, { token_type: 'mac' }],
    ['no identity token', {}, { id_token: undefined }],
    ['no access token', {}, { access_token: undefined }],
  ])('%s', async (_, claims, members) => {
    answerWith(() => tokens(claims, members));
    expect(await finish()).toEqual(OTHER_SIGN_IN);
  });

  test('a signature by another key', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    answerWith(() => tokens({}, {}, privateKey));
    expect(await finish()).toEqual(OTHER_SIGN_IN);
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }, 'The response is of another issuer'],
    ['an error', { error: 'access_denied' }, 'The issuer has not signed you in'],
    ['no code', { code: '' }, 'The issuer has not signed you in'],
  ])('a callback with %s', async (_, more, because) =>
    expect(await finish(more)).toEqual({ kind: 'failed', because }),
  );
});

// RFC 6749 §5.2: a refusal of the client itself has the status 401.
test.each([
  [400, 'invalid_grant'],
  [401, 'invalid_client'],
])('names a refusal of the token endpoint with %d', async (status, error) => {
  answerWith(async () => ({ error }), status);
  expect(await finish()).toMatchObject({ because: 'The issuer has refused the code of the sign-in' });
  expect(await renewTokens('again', metadata, client)).toBeUndefined();
});

test('is unavailable if the issuer does not work', async () => {
  answerWith(async () => ({}), 500);
  await expect(finish()).rejects.toThrow(Unavailable);
});

test('renews tokens, and asks the person again after a refusal or a malformed response', async () => {
  expect(await renewTokens('again', metadata, client)).toEqual({ access: 'access', refresh: 'again' });
  answerWith(async () => ({ access_token: 'new', token_type: 'bearer' }));
  expect(await renewTokens('again', metadata, client)).toEqual({ access: 'new', refresh: undefined });
  answerWith(async () => ({ access_token: 'new' }));
  expect(await renewTokens('again', metadata, client)).toBeUndefined();
});

// RFC 8414 §2: an issuer has https. The local issuer is the exception.
test('sends no request to an issuer with http that is not on a loopback address', () =>
  expect(metadataOf('http://issuer.example')).rejects.toThrow(/HTTPS/i));

test('repeats requests before the login page once, if the issuer does not respond', async () => {
  for (const ask of [() => metadataOf(issuer), () => renewTokens('again', metadata, client)]) {
    isCold = true;
    expect(await ask()).toBeDefined();
    expect(isCold).toBe(false);
  }
});

// OpenID Connect RP-Initiated Logout 1.0 §2; Amazon Cognito Developer Guide, "Logout endpoint".
test.each([
  ['https://login.example/oauth2/authorize', undefined, 'https://login.example/logout?', 'logout_uri'],
  [
    'https://id.example/auth',
    'https://id.example/end',
    'https://id.example/end?',
    'post_logout_redirect_uri',
  ],
])('the sign-out of %s has one address to return to', (authorization_endpoint, end, address, name) => {
  const stated = { issuer: 'https://id.example', authorization_endpoint };
  const all = end === undefined ? stated : { ...stated, end_session_endpoint: end };
  const next = 'https://api.example/out';
  expect(endSessionUrl(all, 'pages', next)).toBe(
    address + new URLSearchParams({ client_id: 'pages', [name]: next }),
  );
});
