import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { as, type Closed, closedAlone } from '../../support/service/closed.ts';

/**
 * The service as `npm start -- --auth` runs it, with the deployed authorizer and a real issuer of tokens. Its data are its own,
 * because the tests send every method, also those that remove products. Source: Specification 11.1 to 11.6.
 */
let service: Awaited<ReturnType<typeof closedAlone>>;
let send: Client;
let issue: Closed['issue'];

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly security?: readonly Record<string, readonly string[]>[] }>>
    >
  >;
}
const description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as Description;

/** Every operation, such as `GET /members/1`, and the scope that the description requires for it. */
const operations = Object.entries(description.paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([method]) => /^(get|head|post|put|patch|delete|options)$/.test(method))
    .map(([method, { security = [] }]) => ({
      operation: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      path: template.replace('/problems/{type}', '/problems/not-found').replace(/\{[^}]+\}/g, '1'),
      isOpen: security.length === 0,
      scope: security.find((one) => 'bearer' in one)?.bearer?.[0],
    })),
);

const ALL = [...new Set(operations.flatMap(({ scope }) => scope ?? []))].join(' ');

beforeAll(async () => {
  service = await closedAlone();
  ({ send, issue } = service);
}, 40_000);
afterAll(() => service.stop());

/** The challenge of the gateway. Source: RFC 6750 §3, RFC 9728 §5.1. */
const challenge = (error = ''): string =>
  `Bearer realm="api", ${error}resource_metadata="${service.url}/.well-known/oauth-protected-resource"`;

// Specification 11.16; RFC 9728 §3.2
test('the metadata that a 401 names lead to the issuer, whose tokens let a program in', async () => {
  const refused = await send('GET', '/members');
  const [, metadata = ''] =
    /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '') ?? [];
  const answer = await send('GET', new URL(metadata).pathname);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
  });
  const { authorization_servers: issuers, ...stated } = answer.json();
  expect(stated).toEqual({
    resource: service.url,
    scopes_supported: expect.arrayContaining(['members:read', 'orders:write']),
    bearer_methods_supported: ['header'],
    resource_name: expect.any(String),
  });
  const [issuer] = issuers as string[];
  const discovered = await fetch(`${issuer}/.well-known/openid-configuration`);
  expect(await discovered.json()).toMatchObject({ issuer });
});

describe('a request without a token', () => {
  test('can read the public resources of Specification 11.2 and the parts of the documentation', () => {
    const open = operations
      .filter(({ isOpen, method }) => isOpen && method === 'GET')
      .map(({ path }) => path);
    expect(open.sort()).toEqual([
      '/.well-known/api-catalog',
      '/.well-known/oauth-protected-resource',
      '/assets/1',
      '/docs',
      '/health',
      '/openapi.json',
      '/problems/not-found',
      '/sign-in',
      '/sign-in/callback',
      '/sign-out',
    ]);
  });

  test.each(operations.filter(({ isOpen }) => !isOpen))(
    'gets 401 for $operation',
    async ({ method, path }) => {
      const answer = await send(method, path);
      expectProblem(answer, 401);
      expect(answer.headers['www-authenticate']).toBe(challenge());
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  test.each(operations.filter(({ isOpen }) => isOpen))(
    'gets a response for $operation',
    async ({ method, path }) => {
      // The callback refuses a response of the issuer that no browser has requested.
      expect(path === '/sign-in/callback' ? [204, 403] : [200, 204, 303, 404]).toContain(
        (await send(method, path)).status,
      );
    },
  );

  test('gets 401 for an unknown path too', async () => {
    expectProblem(await send('GET', '/nothing/here'), 401);
  });
});

describe('a request with a token', () => {
  let everything: string;
  beforeAll(async () => {
    everything = await issue('ada', ALL);
  });

  test.each(operations.filter(({ isOpen }) => !isOpen))(
    'gets neither 401 nor 403 for $operation',
    async ({ method, path }) => {
      expect([401, 403]).not.toContain((await send(method, path, { headers: as(everything) })).status);
    },
  );

  test('gets 404 for an unknown path', async () => {
    expectProblem(await send('GET', '/nothing/here', { headers: as(everything) }), 404);
  });

  describe('a token without the scope', () => {
    let lacking: Map<string, string>;
    beforeAll(async () => {
      const scopes = ALL.split(' ');
      const tokens = await Promise.all(
        scopes.map((one) => issue('bob', scopes.filter((other) => other !== one).join(' '))),
      );
      lacking = new Map(scopes.map((one, at) => [one, tokens[at] as string]));
    });

    test.each(operations.filter(({ scope }) => scope !== undefined))(
      'gets 403 for $operation',
      async ({ method, path, scope = '' }) => {
        const answer = await send(method, path, { headers: as(lacking.get(scope) as string) });
        expectProblem(answer, 403);
        if (method !== 'HEAD')
          expect(answer.json().detail).toBe(`The scope ${scope} is needed. Get a token with it`);
        // A scope that is neither `read` nor `write` of its path is judged by the function.
        if (/:(?:read|write)$/.test(scope))
          expect(answer.headers['www-authenticate']).toBe(challenge('error="insufficient_scope", '));
        else
          expect(answer.headers['x-amzn-remapped-www-authenticate']).toContain('error="insufficient_scope"');
      },
    );

    test.each(operations.filter(({ scope, isOpen }) => scope === undefined && !isOpen))(
      'is enough for $operation',
      async ({ method, path }) => {
        const [token] = lacking.values();
        const { status } = await send(method, path, { headers: as(token as string) });
        expect([401, 403]).not.toContain(status);
      },
    );
  });

  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    ['another key', (head: object, payload: string) => signedBy(head, payload)],
    ['no signature', (_: object, payload: string) => `${base64({ alg: 'none' })}.${payload}.`],
    [
      'a shared secret',
      (_: object, payload: string) => {
        const text = `${base64({ alg: 'HS256' })}.${payload}`;
        return `${text}.${createHmac('sha256', 'ada-secret').update(text).digest('base64url')}`;
      },
    ],
  ])('gets 401 if it was signed by %s', async (_, forge) => {
    const [head = '', payload = ''] = everything.split('.');
    const token = forge(JSON.parse(Buffer.from(head, 'base64url').toString()), payload);
    const answer = await send('GET', '/members', { headers: as(token) });
    expectProblem(answer, 401);
    expect(answer.headers['www-authenticate']).toBe(challenge());
  });

  function signedBy(head: object, payload: string): string {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = `${base64(head)}.${payload}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  test('gets 403 for one method even right after another method was allowed', async () => {
    const reader = await issue('bob', 'members:read');
    const headers = as(reader);
    expect((await send('GET', '/members', { headers })).status).toBe(200);
    expectProblem(await send('POST', '/members', { headers, json: { name: 'x' } }), 403);
    expect((await send('GET', '/members', { headers })).status).toBe(200);
  });

  // Specification 11.4, 11.15
  test('has the scopes of every resource, and no others, if it has the wide ones', async () => {
    const reader = as(await issue('bob', 'all:read'));
    const writer = as(await issue('bob', 'all:read all:write'));
    for (const path of ['/members', '/orders?expand=customer', '/files', '/add?operand1=1&operand2=2'])
      expect((await send('GET', path, { headers: reader })).status).toBe(200);
    const refused = await send('POST', '/members', { headers: reader, json: { name: 'x' } });
    expectProblem(refused, 403);
    expect(refused.json().detail).toBe('The scope members:write is needed. Get a token with it');
    const made = await send('POST', '/members', { headers: writer, json: { name: 'x' } });
    expect(made.status).toBe(201);
    expect(made.json()).not.toHaveProperty('createdBy');
  });

  // Specification 4.24, 11.4
  test('shows related items by expand and on pages only with the scope to read them', async () => {
    const headers = as(everything);
    const made = async (path: string, json: object) =>
      (await send('POST', path, { headers, json })).headers.location as string;
    const customer = await made('/customers', { name: 'Acme' });
    const order = await made(`${customer}/orders`, { productId: 1, orderValue: 1 });
    const lists = ['/orders', order];
    const reader = as(await issue('bob', 'orders:read products:read'));
    for (const uri of lists) {
      for (const query of ['expand=customer', 'expand=products,customer', 'expand=customer&fields=orderId']) {
        const answer = await send('GET', `${uri}?${query}`, { headers: reader });
        expectProblem(answer, 403, 'forbidden');
        expect(answer.json().detail).toBe('The scope customers:read is needed. Get a token with it');
        // API Gateway renames the field, because it comes from the function and not from the authorizer.
        expect(answer.headers['x-amzn-remapped-www-authenticate']).toContain('error="insufficient_scope"');
        expect((await send('GET', `${uri}?${query}`, { headers })).status).toBe(200);
      }
      expect((await send('GET', `${uri}?expand=products`, { headers: reader })).status).toBe(200);
      const pageFor = async (caller: typeof headers) =>
        (await send('GET', uri, { headers: { ...caller, Accept: 'text/html' } })).text;
      expect(await pageFor(headers)).toContain('>Acme</a>');
      expect(await pageFor(reader)).not.toContain('Acme');
      expect((await send('GET', `${uri}?expand=customer`)).status).toBe(401);
    }
  });

  // Specification 11.4
  test('shows an operation to its owner only', async () => {
    const other = await issue('bob', ALL);
    const accepted = await send('POST', '/members', {
      headers: as(everything, { Prefer: 'respond-async' }),
      json: { name: 'Ada' },
    });
    expect(accepted.status).toBe(202);
    const path = accepted.headers.location as string;
    for (const method of ['GET', 'HEAD', 'DELETE'])
      expect((await send(method, path, { headers: as(other) })).status).toBe(404);
    const list = await send('GET', '/operations', { headers: as(other) });
    expect(list.status).toBe(200);
    expect(list.text).not.toContain(path);
    const waited = await send('GET', path, { headers: as(everything, { Prefer: 'wait=10' }) });
    expect(waited.status).toBe(303);
    const made = await send('GET', waited.headers.location as string, { headers: as(everything) });
    expect(made.json()).toMatchObject({ name: 'Ada' });
  });

  // Specification 11.4
  test('gives new upload links to the owner of the operation only', async () => {
    const json = { filename: 'owned.bin', size: 1 };
    const { headers } = await send('POST', '/files', { headers: as(everything), json });
    const links = `${headers.location}/links`;
    expect((await send('POST', links)).status).toBe(401);
    expect((await send('POST', links, { headers: as(await issue('bob', ALL)) })).status).toBe(404);
    expect((await send('POST', links, { headers: as(everything) })).status).toBe(202);
  });

  test('keeps the idempotency keys of two callers apart', async () => {
    const made = await Promise.all(
      ['ada', 'bob'].map(async (caller) =>
        send('POST', '/members', {
          headers: as(await issue(caller, ALL), { 'Idempotency-Key': '"the-same"' }),
          json: { name: caller },
        }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(made.map(({ headers }) => headers.location)).size).toBe(2);
  });
});
