import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { authorizing } from '../../../functions/authorizer/authorizer.ts';
import { usageKeyOf } from '../../../functions/authorizer/usage-key.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { callerHash } from '../../../shared/resource/access/owner.ts';

/** The authorizer with a test issuer. Its keys are made here, so that it can sign invalid tokens too. */
const AUDIENCE = 'urn:test';
const CLOSED = {
  '/': { resource: null },
  '/{proxy+}': { resource: null },
  '/members': { resource: 'members' },
  '/members/{id}': { resource: 'members' },
  '/clubs/{id}/members': { resource: 'members', below: 'clubs' },
};

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let server: Server;
let issuer: string;
let asked: string[] = [];
/** Answers of Secrets Manager, and how often it was asked. */
let secret: string | undefined;
let secretReads = 0;
let answers = true;
let authorizer: ReturnType<typeof authorizing>;

const jwk = (key: KeyObject, more: object) => ({ ...key.export({ format: 'jwk' }), use: 'sig', ...more });

beforeAll(async () => {
  server = createServer(({ url = '', method }, response) => {
    if (method === 'POST') {
      secretReads += 1;
      const type = { 'Content-Type': 'application/x-amz-json-1.1' };
      return secret === undefined
        ? response.writeHead(400, type).end('{"__type":"AccessDeniedException"}')
        : response.writeHead(200, type).end(JSON.stringify({ SecretString: secret }));
    }
    asked.push(url);
    if (!answers) return response.writeHead(500).end();
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': {
        keys: [
          jwk(rsa.publicKey, { kid: 'rsa', alg: 'RS256' }),
          jwk(ec.publicKey, { kid: 'ec', alg: 'ES256' }),
        ],
      },
    };
    const document = documents[url];
    return response.writeHead(document ? 200 : 404).end(JSON.stringify(document));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { ISSUER: issuer, AUDIENCE });
});

afterAll(() => {
  for (const name of ['ISSUER', 'AUDIENCE', 'SCOPE_PREFIX', 'JWKS_URI']) delete process.env[name];
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
  answers = true;
  delete process.env.SCOPE_PREFIX;
  delete process.env.JWKS_URI;
  process.env.AUDIENCE = AUDIENCE;
  authorizer = authorizing(CLOSED, {
    basePathOf: () => '',
    isDenied: async (subject) => subject === 'denied',
  });
});

const now = () => Math.floor(Date.now() / 1000);
const claims = (more: object = {}) => ({
  iss: issuer,
  aud: AUDIENCE,
  sub: 'ada',
  exp: now() + 60,
  scope: 'members:read',
  ...more,
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(payload: object, header: object = {}, key: KeyObject = rsa.privateKey): string {
  const head = { alg: 'RS256', kid: 'rsa', typ: 'at+jwt', ...header };
  const text = `${part(head)}.${part(payload)}`;
  const signature =
    head.alg === 'ES256'
      ? sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
      : sign('sha256', Buffer.from(text), key);
  return `${text}.${signature.toString('base64url')}`;
}

const ARN = 'arn:aws:execute-api:us-east-1:000000000000:api/v1';

const event = (
  authorization: string | undefined,
  { method = 'GET', resource = '/members' } = {},
): APIGatewayRequestAuthorizerEvent =>
  ({
    type: 'REQUEST',
    methodArn: `${ARN}/${method}${resource.replace('{id}', '1')}`,
    resource,
    httpMethod: method,
    headers: {},
    multiValueHeaders: authorization === undefined ? {} : { authorization: [authorization] },
  }) as unknown as APIGatewayRequestAuthorizerEvent;

const bearer = (payload: object, header?: object, key?: KeyObject) =>
  event(`Bearer ${token(payload, header, key)}`);

const effect = async (asking: APIGatewayRequestAuthorizerEvent) =>
  (await authorizer(asking)).policyDocument.Statement[0]?.Effect;

describe('a valid bearer token', () => {
  test.each([
    ['passes the tenant to the function', 'acme', { tenant: 'acme' }],
    ['has no tenant if the claim is empty', '', {}],
    ['has no tenant if the claim is not a text', ['acme'], {}],
  ])('%s', async (_, tenant, passed) => {
    const { context } = await authorizer(bearer(claims({ tenant })));
    expect(context).toEqual({ scope: 'members:read', expires: expect.any(Number), ...passed });
  });

  test('gets access, and the function gets the caller; the policy covers this method', async () => {
    expect(await authorizer(bearer(claims()))).toEqual({
      principalId: 'ada',
      usageIdentifierKey: usageKeyOf('local', 'ada'),
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${ARN}/GET/*` }],
      },
      context: { scope: 'members:read', expires: expect.any(Number) },
    });
  });

  test.each([
    ['an elliptic curve', () => bearer(claims(), { alg: 'ES256', kid: 'ec' }, ec.privateKey)],
    ['several audiences', () => bearer(claims({ aud: ['urn:other', AUDIENCE] }))],
    [
      'scopes as a list, as some issuers have them',
      () => bearer(claims({ scope: undefined, scp: ['members:read'] })),
    ],
    ['a scheme in small letters', () => event(`bearer  ${token(claims())}`)],
    // Specification 11.3
    ['a clock that is 25 s behind', () => bearer(claims({ exp: now() - 25 }))],
    ['an issuer whose clock is 25 s ahead', () => bearer(claims({ iat: now() + 25, nbf: now() + 25 }))],
    ['times with fractions', () => bearer(claims({ iat: now() - 0.5, exp: now() + 60.5 }))],
    ['the path of an item', () => event(`Bearer ${token(claims())}`, { resource: '/members/{id}' })],
    ['a path that needs no scope', () => event(`Bearer ${token(claims({ scope: '' }))}`, { resource: '/' })],
    ['no path at all', () => event(`Bearer ${token(claims({ scope: '' }))}`, { resource: '/{proxy+}' })],
    ['an explicit token type', () => bearer(claims(), { typ: 'application/AT+JWT' })],
    ['no type', () => bearer(claims(), { typ: undefined })],
  ])('gets access with %s', async (_, asking) => {
    expect(await effect(asking())).toBe('Allow');
  });

  test('of an issuer without audiences (Amazon Cognito) needs a scope of this API', async () => {
    process.env.SCOPE_PREFIX = 'resource-api/';
    delete process.env.AUDIENCE;
    const cognito = { aud: undefined, client_id: 'whichever', token_use: 'access' };
    const scope = 'resource-api/members:read other/members:write';
    const { policyDocument, context } = await authorizer(bearer(claims({ ...cognito, scope })));
    expect(policyDocument.Statement[0]?.Effect).toBe('Allow');
    expect(context).toMatchObject({ scope: 'members:read' });
    const other = bearer(claims({ ...cognito, scope: 'resource-api/orders:read' }));
    expect(await effect(other)).toBe('Deny');
    for (const one of ['members:read', 'other/members:read', undefined])
      await expect(authorizer(bearer(claims({ ...cognito, scope: one })))).rejects.toThrow('Unauthorized');
  });
});

test('a valid token of a subject that an operator denies gets the reason, for every path', async () => {
  for (const resource of ['/', '/members']) {
    const asking = event(`Bearer ${token(claims({ sub: 'denied' }))}`, { resource });
    const { policyDocument, context } = await authorizer(asking);
    expect(policyDocument.Statement[0]?.Effect).toBe('Deny');
    expect(context?.reason).toContain('denied you access');
  }
  const forged = event(`Bearer ${token(claims({ sub: 'denied' }), {}, other.privateKey)}`);
  await expect(authorizer(forged)).rejects.toThrow('Unauthorized');
});

describe('a token without the scope', () => {
  test.each([
    ['to write', () => event(`Bearer ${token(claims())}`, { method: 'POST' })],
    ['to remove', () => event(`Bearer ${token(claims())}`, { method: 'DELETE', resource: '/members/{id}' })],
    ['of another resource', () => bearer(claims({ scope: 'orders:read orders:write' }))],
    ['without any scope', () => bearer(claims({ scope: undefined }))],
    ['at an unknown path', () => event(`Bearer ${token(claims())}`, { resource: '/unknown' })],
    [
      'at a name that every JavaScript object has',
      () => event(`Bearer ${token(claims())}`, { resource: 'constructor' }),
    ],
    ['with a longer name', () => bearer(claims({ scope: 'members:readers xmembers:read' }))],
    ['in a claim that is not a text', () => bearer(claims({ scope: { 'members:read': true } }))],
  ])('is denied: %s', async (_, asking) => {
    expect(await effect(asking())).toBe('Deny');
  });

  // The function compares the time again, with the same tolerance.
  test('is accepted by functions for as long as by the authorizer', async () => {
    const exp = now() + 60;
    expect((await authorizer(event(`Bearer ${token(claims({ exp }))}`))).context?.expires).toBe(exp + 30);
  });

  test('gets the missing scope for the response', async () => {
    const asking = event(`Bearer ${token(claims())}`, { method: 'POST' });
    expect((await authorizer(asking)).context).toEqual({
      reason: 'The scope members:write is needed. Get a token with it',
    });
  });

  // Specification 11.4
  test('reads a path below other items with the scopes of both resources alone', async () => {
    const at = (method: string, scope: string) =>
      event(`Bearer ${token(claims({ scope }))}`, { method, resource: '/clubs/{id}/members' });
    expect(await effect(at('GET', 'members:read'))).toBe('Deny');
    expect(await effect(at('HEAD', 'clubs:read'))).toBe('Deny');
    expect(await effect(at('GET', 'clubs:read members:read'))).toBe('Allow');
    expect(await effect(at('POST', 'members:write'))).toBe('Allow');
    expect((await authorizer(at('GET', 'files:read'))).context?.reason).toBe(
      'The scopes members:read and clubs:read are needed. Get a token with them',
    );
  });
});

describe('the authorizer rejects', () => {
  const unsigned = () => `${part({ alg: 'none' })}.${part(claims())}.`;
  const byPublicKey = () => {
    const text = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(claims())}`;
    const secret = rsa.publicKey.export({ type: 'spki', format: 'pem' });
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const changed = () => {
    const [head, , signature] = token(claims()).split('.');
    return [head, part(claims({ sub: 'eve' })), signature].join('.');
  };

  test.each([
    ['no token', () => event(undefined)],
    ['another scheme', () => event('Basic YWRhOmFkYQ==')],
    ['an empty token', () => event('Bearer ')],
    ['a malformed token', () => event('Bearer x.y.z')],
    ['two tokens', () => event(`Bearer ${token(claims())}, Bearer ${token(claims())}`)],
    ['an expired token', () => bearer(claims({ exp: now() - 35 }))],
    ['a token without an end', () => bearer(claims({ exp: undefined }))],
    ['a token that does not begin yet', () => bearer(claims({ nbf: now() + 35 }))],
    ['an end that no date has', () => bearer(claims({ exp: 1e300 }))],
    ['an end after the year 9999', () => bearer(claims({ exp: 253_402_300_800 }))],
    ['an issue in the future', () => bearer(claims({ iat: now() + 35 }))],
    ['an issue that no date has', () => bearer(claims({ iat: -1e300 }))],
    ['an issue that is not a number', () => bearer(claims({ iat: 'today' }))],
    ['a start that no date has', () => bearer(claims({ nbf: -1e300 }))],
    ['another audience', () => bearer(claims({ aud: 'urn:other' }))],
    ['no audience', () => bearer(claims({ aud: undefined }))],
    ['another issuer', () => bearer(claims({ iss: 'https://evil.example' }))],
    ['an identity token', () => bearer(claims({ token_use: 'id' }))],
    ['an identity token by its claims', () => bearer(claims({ nonce: 'n', at_hash: 'h' }))],
    ['a logout token', () => bearer(claims({ events: {} }))],
    ['a token of another type', () => bearer(claims(), { typ: 'logout+jwt' })],
    ['a token with a number as type', () => bearer(claims(), { typ: 7 })],
    ['a token with an object as type', () => bearer(claims(), { typ: { toString: 1 } })],
    ['a token that is bound to a key by DPoP', () => bearer(claims({ cnf: { jkt: 'thumbprint' } }))],
    ['a token that is bound to a certificate', () => bearer(claims({ cnf: { 'x5t#S256': 'digest' } }))],
    ['a token without a subject', () => bearer(claims({ sub: undefined }))],
    ['a forged signature', () => bearer(claims(), {}, other.privateKey)],
    ['a changed payload', () => event(`Bearer ${changed()}`)],
    ['a signature left out', () => event(`Bearer ${unsigned()}`)],
    ['the public key as a secret', () => event(`Bearer ${byPublicKey()}`)],
    [
      'a key in the token header',
      () => bearer(claims(), { kid: undefined, jwk: jwk(other.publicKey, {}) }, other.privateKey),
    ],
    ['a key for another algorithm', () => bearer(claims(), { kid: 'ec' })],
    ['an unknown key', () => bearer(claims(), { kid: 'unknown' }, other.privateKey)],
    ['no key where there are several', () => bearer(claims(), { kid: undefined, alg: 'RS512' })],
  ])('%s', async (_, asking) => {
    await expect(authorizer(asking())).rejects.toThrow(/^Unauthorized$/);
  });
});

describe('an issuer', () => {
  test('gets one request for several tokens', async () => {
    for (let time = 0; time < 3; time += 1) await authorizer(bearer(claims()));
    expect(asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  test('gets no request for the address of its keys if that is known', async () => {
    process.env.JWKS_URI = `${issuer}/keys`;
    await authorizer(bearer(claims()));
    expect(asked).toEqual(['/keys']);
  });

  test('gets no more requests for tokens with unknown keys', async () => {
    await authorizer(bearer(claims()));
    for (const kid of ['a', 'b', 'c']) {
      await expect(authorizer(bearer(claims(), { kid }, other.privateKey))).rejects.toThrow('Unauthorized');
    }
    expect(asked).toHaveLength(2);
  });

  test('that does not respond makes no token invalid, and is asked again', async () => {
    answers = false;
    await expect(authorizer(bearer(claims()))).rejects.toThrow('cannot get the keys');
    answers = true;
    expect(await effect(bearer(claims()))).toBe('Allow');
  });
});

describe('the hash of the caller', () => {
  const callerIn = async (sub = 'ada') =>
    (await authorizer(event(`Bearer ${token(claims({ sub }))}`))).context;

  beforeAll(() => {
    configureClients({ region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = issuer;
  });
  afterAll(() => {
    for (const name of ['AUDIT_SECRET', 'AUDIT_KEY', 'AWS_ENDPOINT_URL_SECRETS_MANAGER'])
      delete process.env[name];
  });

  // Specification 11.14
  test('has the key of the secret, which the process reads once, and again after a failure', async () => {
    process.env.AUDIT_SECRET = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:key';
    await expect(callerIn()).rejects.toThrow();
    secret = 'key';
    expect(await callerIn()).toMatchObject({ caller: callerHash('key', 'ada') });
    expect(await callerIn('eve')).toMatchObject({ caller: callerHash('key', 'eve') });
    expect(secretReads).toBe(2);
  });

  test('is absent if there is no key', async () => {
    delete process.env.AUDIT_SECRET;
    expect(await callerIn()).not.toHaveProperty('caller');
    process.env.AUDIT_KEY = 'local';
    expect(await callerIn()).toMatchObject({ caller: callerHash('local', 'ada') });
  });
});
