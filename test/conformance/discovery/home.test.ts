import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Link } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

/** A value that the orders of other tests never have. */
const VALUE = 7_000_000_000_000;

const PATHS: Record<string, string> = {};
beforeAll(async () => {
  PATHS.home = '/';
  PATHS.health = '/health';
  PATHS.problem = '/problems/not-found';
  PATHS.member = (await create('/members', { name: unique('home') })).path;
  const customer = await create('/customers', { name: unique('home') });
  PATHS.customer = customer.path;
  const product = await create('/products', { name: unique('home'), price: 5 });
  PATHS.product = product.path;
  const image = `${product.path}?fields=productImage`;
  await send('PUT', image, { body: 'image', headers: { 'Content-Type': 'image/png' } });
  PATHS.order = (await create(`${customer.path}/orders`, { productId: product.id })).path;
  const others = Array.from({ length: 3 }, () => ({ productId: product.id, orderValue: VALUE }));
  for (const values of others) await create(`${customer.path}/orders`, values);
  PATHS['free order'] = (await create('/orders', { productId: product.id })).path;
  await send('PUT', `/files/${unique('home')} %25 ü`.replace(/ /g, '%20').replace('ü', '%C3%BC'), {
    body: 'x',
  });
  Object.assign(PATHS, {
    'its customer': `${PATHS.order}/customer`,
    'its products': `${PATHS.order}/products`,
    members: '/members?limit=2',
    customers: '/customers?limit=2&offset=1&sort=-name',
    'orders of the customer': `${customer.path}/orders?limit=1&minCost=1`,
    orders: `/orders?limit=2&sort=orderValue&minCost=${VALUE}`,
    products: '/products?limit=2',
    files: '/files?limit=2&sort=size',
    add: '/add?operand1=1&operand2=2',
  });
});

/** Representations without links. */
const UNLINKED = ['health', 'problem', 'add'];
/** Those with links. */
const NAMES = [
  'home',
  'member',
  'customer',
  'product',
  'order',
  'free order',
  'its customer',
  'its products',
  'members',
  'customers',
  'orders of the customer',
  'orders',
  'products',
  'files',
];

/** Every link anywhere in a representation. */
function linksIn(value: unknown): Link[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'links' && Array.isArray(inner) ? (inner as Link[]) : linksIn(inner),
  );
}

/** The target of a link, with a number for each variable of a template. Source: RFC 6570 §3.2.8. */
const expanded = ({ href, templated }: Link): string =>
  templated
    ? href.replace(/\{\?([^}]*)\}/, (_all, names: string) => `?${names.replaceAll(',', '=1&')}=1`)
    : href;

/** The targets of a Link header (RFC 8288). */
const targets = (header = '') => [...header.matchAll(/<([^>]*)>/g)].map(([, href = '']) => href);

// Specification 2.33
describe('every href leads to a resource', () => {
  test.each(UNLINKED)('but the representation of the %s has none', async (name) => {
    const { status, headers, json } = await get(PATHS[name] as string);
    expect([status, linksIn(json()), targets(headers.link)]).toEqual([200, [], []]);
  });

  test.each(NAMES)('in the representation of the %s', async (name) => {
    const answer = await get(PATHS[name] as string);
    expect(answer.status).toBe(200);
    const links = linksIn(answer.json());
    for (const { rel, href, method } of atLeastOne(links)) {
      expect({ rel: typeof rel, href: typeof href, method }).toEqual({
        rel: 'string',
        href: 'string',
        method: expect.stringMatching(/^[A-Z]+$/),
      });
      expect(href).toMatch(/^\/(?!\/)/);
    }
    // Specification 2.31: one link for each pair of rel and method in a representation
    const whole = answer.json().links ?? [];
    const keys = whole.map(({ rel, method }) => `${rel} ${method}`);
    expect(new Set(keys).size).toBe(keys.length);
    const hrefs = new Set([
      ...links.filter(({ method }) => method === 'GET').map(expanded),
      ...targets(answer.headers.link),
    ]);
    for (const href of atLeastOne(hrefs))
      expect({ href, status: (await get(href)).status }).toEqual({ href, status: 200 });
    // OPTIONS at the target must allow the method of every other link.
    const refused: Link[] = [];
    for (const link of links.filter(({ method }) => method !== 'GET'))
      if (!(await send('OPTIONS', link.href)).headers.allow?.split(', ').includes(link.method))
        refused.push(link);
    expect(refused).toEqual([]);
  });

  test('and a representation links itself and its collection', async () => {
    for (const [name, collection] of [
      ['member', '/members'],
      ['customer', '/customers'],
      ['product', '/products'],
      ['order', '/orders'],
    ] as const) {
      const path = PATHS[name] as string;
      const { headers, json } = await get(path);
      const { links } = json();
      expect(links).toContainEqual(expect.objectContaining({ rel: 'self', href: path, method: 'GET' }));
      expect(links).toContainEqual(expect.objectContaining({ rel: 'collection', href: collection }));
      expect(headers.link).toContain(`<${collection}>; rel="collection"`);
    }
    const order = (await get(PATHS.order as string)).json().links.map(({ href }) => href);
    expect(order).toEqual(expect.arrayContaining([`${PATHS.order}/customer`, `${PATHS.order}/products`]));
    expect((await get(PATHS.customer as string)).json().links.map(({ href }) => href)).toContain(
      `${PATHS.customer}/orders`,
    );
  });

  // RFC 8288: the page of a collection repeats the links of its items inside the items only.
  test('and items of a list have their own links', async () => {
    const { items } = (await get('/products?limit=3')).json();
    expect(items.length).toBeGreaterThan(0);
    for (const { id, links } of items)
      expect(links).toContainEqual(expect.objectContaining({ rel: 'self', href: `/products/${id}` }));
  });
});

test.each([
  ['/', 2048],
  ['/members', 1536],
  ['/orders?limit=2&sort=-orderValue&minCost=1', 1536],
  ['/products?limit=2', 1536],
])('the header fields of %s have less than %i bytes', async (path, maximum) => {
  for (const Accept of ['application/json', 'text/html']) {
    const { headers } = await get(path, { Accept });
    const bytes = Object.entries(headers).reduce(
      (sum, [name, value]) => sum + `${name}: ${value}\r\n`.length,
      0,
    );
    expect(bytes).toBeGreaterThan(200);
    expect(bytes).toBeLessThan(maximum);
  }
});

// Specification 12.4
test('the home document links every collection, every form, /add and new upload links, and describes each in a sentence', async () => {
  const { links } = (await get('/')).json();
  const hrefs = links.map(({ href }) => href);
  for (const path of ['/members', '/customers', '/orders', '/products'])
    expect(links).toContainEqual(expect.objectContaining({ href: `${path}/new`, types: ['text/html'] }));
  // Specification D.7
  expect(links.filter(({ templated }) => templated)).toEqual([
    expect.objectContaining({ rel: 'add', href: '/add{?operand1,operand2}', method: 'GET' }),
    expect.objectContaining({ rel: 'renew', href: '/operations/{id}/links', method: 'POST' }),
  ]);
  for (const { rel, description } of atLeastOne(links.filter((link) => link.rel !== 'self')))
    expect([rel, description]).toEqual([rel, expect.stringMatching(/^[A-Z].+\.$/)]);
  expect((await get('/', { Accept: 'application/xml' })).text).toContain('<description>Registered people.<');
  expect((await get('/', { Accept: 'text/html' })).text).toContain('href="/add"');
  expect(hrefs).toEqual(expect.arrayContaining(['/members', '/customers', '/orders', '/products', '/files']));
});

// Specification 12.5
test('no link leads to a missing document', async () => {
  for (const href of atLeastOne(targets((await get('/')).headers.link)))
    expect((await get(href)).status).toBe(200);
});

test('/health reports the state of the service', async () => {
  const answer = await get('/health');
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toMatch(/no-store|no-cache/);
  expect((await send('HEAD', '/health')).status).toBe(200);
});

test.each(['/health?deep', '/health?deep=true'])('%s asks DynamoDB too', async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({ status: 'pass' });
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('/health with any other value of deep gets 400', async () => {
  const answer = await get('/health?deep=no');
  expectProblem(answer, 400);
  expect(answer.json().errors).toEqual([{ parameter: 'deep', detail: 'must be true, or have no value' }]);
});
