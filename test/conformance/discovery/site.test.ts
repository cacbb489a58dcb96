import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

/** What a browser may do with a file that is not a page: nothing. */
const NO_PAGE = ["default-src 'none'", 'sandbox'];
const PAGE = [
  "base-uri 'none'",
  "connect-src 'self'",
  "default-src 'none'",
  "font-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
];

const PUBLISHED: readonly (readonly [path: string, type: RegExp])[] = [
  ['/openapi.json', /^application\/json$/],
  ['/openapi.json?resource=orders', /^application\/json$/],
  ['/docs', /^text\/html; charset=utf-8$/],
  ['/docs?resource=orders', /^text\/html; charset=utf-8$/],
  ['/assets/docs.js', /^text\/javascript; charset=utf-8$/],
  ['/assets/swagger-ui.css', /^text\/css; charset=utf-8$/],
  ['/schemas/member', /^application\/schema\+json$/],
  [
    '/.well-known/api-catalog',
    /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"$/,
  ],
];

describe.each(PUBLISHED)('%s', (path, type) => {
  test('has its type and its security policy, and may be cached for a while', async () => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(type);
    expect(answer.headers['cache-control']).toMatch(/^public, max-age=[1-9]/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const policy = answer.headers['content-security-policy']?.split('; ').sort();
    expect(policy).toEqual(path.startsWith('/docs') ? PAGE : NO_PAGE);
  });

  test('supports revalidation by ETag and ranges', async () => {
    const whole = await get(path);
    const again = await get(path, { 'If-None-Match': whole.headers.etag as string });
    expect(again.status).toBe(304);
    expect(again.headers['cache-control']).toBe(whole.headers['cache-control']);
    const part = await get(path, { Range: 'bytes=0-9' });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(whole.bytes.subarray(0, 10));
  });

  test('gets the right responses to HEAD, other methods and a trailing slash', async () => {
    expect((await send('HEAD', path)).status).toBe(200);
    expectProblem(await send('PUT', path, { body: 'x' }), 405);
    expect((await get(path.replace(/(\?|$)/, '/$1'))).headers.location).toBe(path);
  });
});

test.each([
  '/assets/none.js',
  '/assets/docs.html',
  '/assets/..%2Fopenapi.json',
  '/assets/__proto__',
  '/schemas/none',
])('no other file is public: %s', async (path) => expectProblem(await get(path), 404));

test.each(['/docs', '/docs?resource=orders'])(
  '%s runs scripts and styles of this service only',
  async (page) => {
    const { text } = await get(page);
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|https?:/);
    const needed = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, name = '']) =>
      name === '.' ? '/' : `/${name}`,
    );
    expect(needed.length).toBeGreaterThan(3);
    for (const path of needed)
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 200 });
  },
);

describe('/openapi.json', () => {
  const lines = ({ text }: Answer) => {
    const { openapi, paths } = JSON.parse(text);
    const { get: read, post } = paths['/members'];
    const shared = (one: { $ref?: string }) =>
      one.$ref ? JSON.parse(text).components.responses[one.$ref.split('/').at(-1) as string] : one;
    return {
      openapi,
      read: shared(read.responses['200']).content['application/jsonl'],
      sent: post.requestBody.content['application/jsonl'],
    };
  };

  // Specification 12.6
  test.each(['application/openapi+json', 'application/vnd.oai.openapi+json'])(
    'has OpenAPI 3.2 for version 3.2 of %s, with a schema for each line of JSON Lines',
    async (type) => {
      const answer = await get('/openapi.json', { Accept: `${type};version=3.2, application/json;q=0.5` });
      expect(answer.headers['content-type']).toBe(`${type};version=3.2`);
      expect(answer.headers.vary?.split(', ').slice(0, 2)).toEqual(['Accept', 'Accept-Encoding']);
      expect(answer.headers.vary?.match(/Accept-Encoding/g)).toHaveLength(1);
      expect(lines(answer)).toEqual({
        openapi: '3.2.0',
        read: { itemSchema: { $ref: '#/components/schemas/Member' } },
        sent: { itemSchema: { $ref: '#/components/schemas/MemberInput' } },
      });
      const again = await get('/openapi.json', {
        Accept: `${type};version=3.2`,
        'If-None-Match': answer.headers.etag as string,
      });
      expect([again.status, again.headers.vary]).toEqual([304, answer.headers.vary]);
    },
  );

  // Specification 12.6
  test.each([
    ['application/openapi+json;version=3.1', 'application/openapi+json;version=3.1'],
    ['application/openapi+json', 'application/openapi+json;version=3.1'],
    ['application/openapi+json;version=4', 'application/json'],
    ['application/json', 'application/json'],
    ['text/yaml', 'application/json'],
    ['*/*', 'application/json'],
  ])('has OpenAPI 3.1 for %s', async (Accept, type) => {
    const answer = await get('/openapi.json', { Accept });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect(lines(answer)).toEqual({ openapi: '3.1.1' });
  });
});

// Specification 12.7
describe('the part of a resource', () => {
  const described = async (path: string, headers?: Readonly<Record<string, string>>) => {
    const { text } = await get(path, headers);
    return { text, document: JSON.parse(text) };
  };

  test('has the operations of the resource, and what they need, as the whole has them', async () => {
    const whole = await described('/openapi.json');
    const names = (whole.document.tags as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('Orders');
    const part = await described('/openapi.json?resource=orders');
    const { paths, components, tags, info } = part.document;
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(['Orders']);
    expect(info.description).toContain('[The whole description](/openapi.json)');
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/orders', '/orders/{id}', '/orders/{id}/pay', '/customers/{id}/orders']),
    );
    expect(Object.keys(paths)).not.toEqual(expect.arrayContaining(['/customers']));
    const wanted = Object.entries(whole.document.paths as Record<string, Record<string, { tags?: string[] }>>)
      .map(([path, item]) => {
        const others = Object.entries(item).filter(([, { tags: of }]) => !of || of[0] === 'Orders');
        return [path, Object.fromEntries(others)] as const;
      })
      .filter(([, item]) => Object.keys(item).some((name) => name !== 'parameters'));
    expect(paths).toEqual(Object.fromEntries(wanted));
    for (const [, kind = '', name = ''] of atLeastOne([
      ...part.text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g),
    ]))
      expect([name, components[kind][name]]).toEqual([name, whole.document.components[kind][name]]);
    expect(part.text.length).toBeLessThan(whole.text.length / 2);
  });

  test('has OpenAPI 3.2, too', async () => {
    const Accept = 'application/openapi+json;version=3.2';
    const { document } = await described('/openapi.json?resource=members', { Accept });
    expect([document.openapi, Object.keys(document.paths)[0]]).toEqual(['3.2.0', '/members']);
  });

  test('has a page, which links the other parts and the whole, and its description', async () => {
    const { text } = await get('/docs?resource=orders');
    expect(text).toContain('<title>Orders – ');
    const links = [...text.matchAll(/<a( aria-current="page")? href="(docs[^"]*)">([^<]+)<\/a>/g)];
    expect(links.map(([, current, href, title]) => [href, current !== undefined, title])).toEqual(
      expect.arrayContaining([
        ['docs', false, 'All resources'],
        ['docs?resource=orders', true, 'Orders'],
        ['docs?resource=members', false, 'Members'],
      ]),
    );
    for (const [, , href] of atLeastOne(links)) expect((await get(`/${href}`)).status).toBe(200);
    expect(text).toMatch(/rel="service-desc" href="openapi\.json\?resource=orders"/);
  });

  test.each([
    ['openapi.json', 'order'],
    ['openapi.json', ''],
    ['openapi.json', '../openapi'],
    ['docs', 'Orders'],
  ])('of /%s?resource=%s gets 400 with the known names', async (path, name) => {
    const answer = await get(`/${path}?resource=${encodeURIComponent(name)}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([
      {
        parameter: 'resource',
        detail: expect.stringMatching(/^must be one of root, add, customers, .*orders/),
      },
    ]);
  });
});

// Specification 11.16
test('a service that requires no tokens has no metadata of an issuer', async () => {
  expectProblem(await get('/.well-known/oauth-protected-resource'), 404);
});

// RFC 9727 §4, RFC 9264 §4.2
test('the catalog links the description, the documentation and every collection', async () => {
  const { linkset } = JSON.parse((await get('/.well-known/api-catalog')).text) as {
    linkset: { anchor: string; [rel: string]: unknown }[];
  };
  const [api, catalog = { item: [] }] = linkset;
  expect(api).toMatchObject({
    anchor: '/',
    'service-desc': [{ href: '/openapi.json' }],
    'service-doc': [{ href: '/docs' }],
  });
  const hrefs = linkset.flatMap((context) =>
    Object.values(context).flatMap((links) => (Array.isArray(links) ? (links as { href: string }[]) : [])),
  );
  for (const { href } of atLeastOne(hrefs)) expect((await get(href)).status).toBe(200);
  expect((catalog.item as { href: string }[]).map(({ href }) => href)).toEqual(
    expect.arrayContaining(['/members', '/customers', '/orders', '/products', '/files']),
  );
});

describe('describedby and service-desc', () => {
  test.each(['members', 'customers', 'products'])(
    'are in items and lists of %s and lead to their schemas',
    async (name) => {
      const { path } = await create(`/${name}`, { name: unique('described') });
      for (const [where, schema] of [
        [path, `/schemas/${name.slice(0, -1)}`],
        [`/${name}`, `/schemas/${name}`],
      ] as const) {
        const { headers, json } = await get(where);
        expect(json().links).toContainEqual({ rel: 'describedby', href: schema, method: 'GET' });
        expect(headers.link).toContain(`<${schema}>; rel="describedby"`);
        expect(headers.link).toContain('</openapi.json>; rel="service-desc"');
        const { $schema, $id, required } = JSON.parse((await get(schema)).text);
        expect({ $schema, $id, required }).toEqual({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $id: schema,
          required: expect.arrayContaining([where === path ? 'id' : 'links']),
        });
      }
    },
  );

  test('the home document links every starting point', async () => {
    const { headers, json } = await get('/');
    const links = new Map(json().links.map(({ rel, href }) => [rel, href]));
    expect(links.get('service-desc')).toBe('/openapi.json');
    expect(links.get('service-doc')).toBe('/docs');
    expect(links.get('api-catalog')).toBe('/.well-known/api-catalog');
    expect(headers.link).toContain('</docs>; rel="service-doc"');
  });
});
