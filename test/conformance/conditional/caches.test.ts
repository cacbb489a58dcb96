import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Closed, clientAs, closed } from '../../support/service/closed.ts';
import { withOpened } from '../../support/service/opened.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/** What a browser may keep after a sign-out, or for a token with other scopes. Specification 3.8, 16.4; RFC 9111 §4. */

const TYPES = ['application/json', 'application/xml', 'text/html', '*/*'];

/** Lets a cache show a response without a request. */
const SHOWS_AGAIN = /max-age|immutable|public/;

/** Scopes of every path and field. */
const ALL =
  'all:read all:write salaries:read salaries:write contacts:read audit:read credit:write prices:write';

/** Creates an item of each resource, and two versions of each that has history. Returns values of the parameters. */
async function prepared(send: Client): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [name, json] of [
    ['members', { name: 'a' }],
    ['customers', { name: 'a' }],
    ['products', { name: 'a', price: 1 }],
    ['employees', { name: 'a', salary: 5000, phone: '1' }],
    ['subscriptions', { url: 'https://example.com/hook', types: ['order.*'] }],
  ] as const) {
    const { status, headers, text } = await send('POST', `/${name}`, { json });
    expect([name, status, status === 201 ? '' : text]).toEqual([name, 201, '']);
    made[name] = (headers.location as string).split('/').at(-1) as string;
  }
  const json = { productId: 1 };
  made.orders = String((await send('POST', `/customers/${made.customers}/orders`, { json })).json().orderId);
  const png = { body: 'x', headers: { 'Content-Type': 'image/png' } };
  await send('PUT', `/members/${made.members}?fields=photo`, png);
  await send('PUT', `/products/${made.products}?fields=productImage`, png);
  await send('PUT', `/employees/${made.employees}?fields=contract`, {
    body: 'x',
    headers: { 'Content-Type': 'application/pdf' },
  });
  const merge = { headers: { 'Content-Type': 'application/merge-patch+json' } };
  for (const name of ['members', 'customers', 'products', 'employees'])
    await send('PATCH', `/${name}/${made[name]}`, { json: { name: 'b' }, ...merge });
  await send('PATCH', `/orders/${made.orders}`, { json: { orderValue: 2 }, ...merge });
  for (const body of ['1', '2']) await send('PUT', '/files/a.png', { body });
  const [, earlier] = (await send('GET', '/files/a.png/versions')).json().items;
  const deferred = await send('PUT', `/members/${made.members}`, {
    json: { name: 'c' },
    headers: { Prefer: 'respond-async' },
  });
  const operation = (deferred.headers.location as string).split('/').at(-1) as string;
  await eventually(async () =>
    expect((await send('GET', `/operations/${operation}`)).json().status).toBe('Succeeded'),
  );
  return { ...made, operations: operation, file: String(earlier?.version) };
}

/** The pages with forms, which the description leaves out. Source: Specification 6.2. */
const formsAt = (template: string, { post, patch, delete: remove }: Record<string, unknown>): string[] => [
  ...(post && /^\/\w+$/.test(template) && template !== '/files' ? [`${template}/new`] : []),
  ...(patch && /\{id\}$/.test(template) ? [`${template}/edit`] : []),
  ...(remove && /\{(?:id|filename)\}$/.test(template) ? [`${template}/delete`] : []),
];

/** The path of a template of the description, with the values of its parameters. */
const pathOf = (template: string, made: Readonly<Record<string, string>>): string =>
  template
    .replace('/problems/{type}', '/problems/not-found')
    .replace('/assets/{name}', '/assets/pages.js')
    .replace('/schemas/{name}', '/schemas/member')
    .replace('{filename}/versions/{version}', `a.png/versions/${made.file}`)
    .replace('{filename}', 'a.png')
    .replace(/\{version\}(?=\/\w+$)/, '3')
    .replace(/\{version\}|\{n\}/, '1')
    .replace(/^\/(\w+)\/\{id\}/, (_all, name: string) => `/${name}/${made[name]}`)
    .replace(/^\/add$/, '/add?operand1=1&operand2=2');

describe('with authorization', () => {
  let service: Closed;
  let made: Record<string, string>;
  let callers: readonly Client[];

  beforeAll(async () => {
    service = await closed(withFixture('guarded'));
    const strong = await clientAs(service, 'ada', ALL);
    callers = [strong, await clientAs(service, 'bob', 'all:read'), service.send];
    made = await prepared(strong);
  }, 60_000);

  test('no cache shows again what another caller does not get', async () => {
    const { paths } = JSON.parse((await service.send('GET', '/openapi.json')).text) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const templates = Object.entries(paths)
      .filter(([template, { get }]) => get && !/^\/(?:pensions|reviews|seals)\b/.test(template))
      .flatMap(([template, methods]) => [template, ...formsAt(template, methods)]);
    expect(templates.length).toBeGreaterThan(70);
    const kept: string[] = [];
    const same: string[] = [];
    const without: string[] = [];
    for (const template of templates)
      for (const type of TYPES) {
        const path = pathOf(template, made);
        const answers: Answer[] = [];
        for (const caller of callers) answers.push(await caller('GET', path, { headers: { Accept: type } }));
        const [first] = answers as [Answer];
        if (first.status >= 400) without.push(template);
        const tag = { 'If-None-Match': String(first.headers.etag ?? '"none"') };
        answers.push(await (callers[0] as Client)('GET', path, { headers: { Accept: type, ...tag } }));
        const isSame = answers
          .slice(1, -1)
          .every(({ status, bytes }) => status === first.status && bytes.equals(first.bytes));
        if (isSame) same.push(template);
        else if (answers.some(({ headers }) => SHOWS_AGAIN.test(headers['cache-control'] ?? '')))
          kept.push(`${type} ${path}`);
      }
    expect(kept).toEqual([]);
    expect([...new Set(same)].sort()).toEqual([
      '/.well-known/api-catalog',
      '/.well-known/oauth-protected-resource',
      '/assets/{name}',
      '/docs',
      '/health',
      '/openapi.json',
      '/problems/{type}',
      '/sign-in',
      '/sign-out',
    ]);
    expect([...new Set(without)]).toEqual([
      '/operations/{id}/delete',
      '/subscriptions/{id}/deliveries/{n}',
      '/sign-in/callback',
    ]);
  }, 60_000);
});

describe('without authorization', () => {
  const send = withOpened('guarded');

  test('a version with fields of some callers is asked for again, another one never', async () => {
    const made = await prepared(send);
    const cachedAs = async (path: string) => (await send('GET', path)).headers['cache-control'];
    expect(await cachedAs(`/employees/${made.employees}/versions/1`)).toBe('private, no-cache');
    expect(await cachedAs(`/members/${made.members}/versions/1`)).toContain('immutable');
  });
});
