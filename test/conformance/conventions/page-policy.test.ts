import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BROWSER, expectPagePolicy } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/* The restrictions of browsers on pages. Source: Content Security Policy Level 3 §6. */
underTest();

/** The paths of pages, with the values of an existing item. */
const pages: string[] = [];
let subscription: string;
/** A delivery needs a receiver, and a finished operation has no page for its cancellation. */
const UNKNOWN = ['/subscriptions/{id}/deliveries/{n}'];

/** The description has no forms. */
const FORMS = [
  ...['members', 'customers', 'products', 'orders', 'subscriptions'].flatMap((name) =>
    ['new', '{id}/edit', '{id}/delete'].map((form) => `/${name}/${form}`),
  ),
  '/files/{filename}/delete',
];

/** A response of the description, or the name of a shared one. */
interface Described {
  readonly $ref?: string;
  readonly content?: object;
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly responses: { 200?: Described } } }>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

beforeAll(async () => {
  const values: Record<string, string> = { type: 'not-found', version: '1', n: '1' };
  const ids: Record<string, string> = {};
  const customer = await create('/customers', { name: unique('policy') });
  const nowhere = { url: 'http://127.0.0.1:9/', types: ['order.canceled'] };
  subscription = (await create('/subscriptions', nowhere)).path;
  const made = {
    subscriptions: subscription,
    customers: customer.path,
    members: (await create('/members', { name: unique('policy') })).path,
    products: (await create('/products', { name: unique('policy'), price: 1 })).path,
    orders: (await create(`${customer.path}/orders`, { productId: 1 })).path,
    operations: await accepted(),
  };
  for (const [name, path] of Object.entries(made)) ids[name] = path.split('/').at(-1) ?? '';
  values.filename = unique('policy');
  await send('PUT', `/files/${values.filename}`, { body: 'text' });
  const { paths, components } = JSON.parse((await get('/openapi.json')).text) as Description;
  // A route with XML also has a page.
  const shown = Object.entries(paths).flatMap(([template, { get: read }]) => {
    const { $ref, content = {} } = read?.responses[200] ?? {};
    const shared = components.responses[$ref?.split('/').at(-1) ?? ''];
    return 'application/xml' in (shared?.content ?? content) ? [template] : [];
  });
  for (const template of [...shown, ...FORMS]) {
    const collection = template.split('/')[1] ?? '';
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ids[collection] ?? '');
    if (!UNKNOWN.includes(template)) pages.push(path);
  }
});

afterAll(() => send('DELETE', subscription));

/** The path of an operation. */
async function accepted(): Promise<string> {
  const json = { name: unique('policy') };
  const { headers } = await send('POST', '/members', { json, headers: { Prefer: 'respond-async' } });
  return headers.location ?? '';
}

/** A service without an issuer has no metadata of one. */
const OTHER_STATUS = [['/oauth-protected-resource', 404]] as const;

test('each page of the description has every directive', async () => {
  expect(pages.length).toBeGreaterThan(40);
  for (const path of pages) {
    const { status, headers } = await get(path, BROWSER);
    expect({ path, status, type: headers['content-type'] }).toEqual({
      path,
      status: OTHER_STATUS.find(([end]) => path.endsWith(end))?.[1] ?? 200,
      type: 'text/html; charset=utf-8',
    });
    expectPagePolicy(headers);
  }
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

test.each([
  ['a missing page', 404, 'GET', '/nowhere', {}],
  ['a missing item', 404, 'GET', '/members/999999999', {}],
  ['a wrong query', 400, 'GET', '/members?limit=x', {}],
  ['a wrong method', 405, 'PATCH', '/health', {}],
  ['a foreign form', 403, 'POST', '/members', { ...FORM, 'Sec-Fetch-Site': 'cross-site' }],
  ['a wrong form', 400, 'POST', '/products/new', FORM],
  ['a failed precondition', 412, 'DELETE', '/products/1', { 'If-Match': '"other"' }],
])('the page of %s has every directive', async (_, status, method, path, headers) => {
  const answer = await send(method, path, { headers: { ...BROWSER, ...headers }, body: 'price=x' });
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expectPagePolicy(answer.headers);
});
