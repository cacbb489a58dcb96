import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER, rowsOf, sectionsOf } from '../../support/client/page.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { as, closedAlone } from '../../support/service/closed.ts';

/** The orders on the page of a customer, for people with different scopes. Source: Specification 11.13, 11.15. */
let service: Awaited<ReturnType<typeof closedAlone>>;
let path: string;
beforeAll(async () => {
  service = await closedAlone();
  const token = await service.issue('ada', 'customers:write customers:read orders:write');
  const made = await service.send('POST', '/customers', { headers: as(token), json: { name: 'Acme' } });
  path = made.headers.location as string;
  await service.send('POST', `${path}/orders`, { headers: as(token), json: { productId: 1 } });
}, 40_000);
afterAll(() => service.stop());

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly security: readonly { readonly bearer?: readonly string[] }[] } }
    >
  >;
}

// Specification 11.4: a path of a relation is a property of both items.
describe('the path of a relation', () => {
  let relations: { readonly template: string; readonly scopes: readonly string[] }[];
  let made: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const { paths } = JSON.parse((await service.send('GET', '/openapi.json')).text) as Description;
    relations = Object.entries(paths).flatMap(([template, { get }]) => {
      const scopes = get?.security.find(({ bearer }) => bearer)?.bearer ?? [];
      return scopes.length > 1 ? [{ template, scopes }] : [];
    });
    const json = { productId: 1 };
    const all = as(await service.issue('ada', 'all:read all:write'));
    const { orderId } = (await service.send('POST', `${path}/orders`, { headers: all, json })).json();
    made = { orders: String(orderId), customers: path.split('/')[2] as string };
  });

  test('is each path below the items of another resource', () => {
    expect(relations).toEqual([
      { template: '/orders/{id}/customer', scopes: ['customers:read', 'orders:read'] },
      { template: '/customers/{id}/orders', scopes: ['orders:read', 'customers:read'] },
      { template: '/orders/{id}/products', scopes: ['products:read', 'orders:read'] },
    ]);
  });

  test('gets the same refusal for existing and missing items without both scopes', async () => {
    expect(relations.length).toBeGreaterThan(0);
    for (const { template, scopes } of relations) {
      const [one = '', other = ''] = scopes;
      const answersTo = async (scope: string, method: string) => {
        const headers = as(await service.issue('bob', scope));
        const ids = [made[template.split('/')[1] as string] as string, '123'];
        const answers = ids.map((id) => service.send(method, template.replace('{id}', id), { headers }));
        return Promise.all(answers);
      };
      for (const [scope, lacking] of [
        ['members:read', scopes],
        [one, [other]],
        [other, [one]],
      ] as const)
        for (const method of ['GET', 'HEAD']) {
          const answers = await answersTo(scope, method);
          const [existing, missing] = answers.map(({ status, headers }) => [
            status,
            headers['content-location'],
          ]);
          expect([template, scope, ...(existing ?? [])].slice(0, 3)).toEqual([template, scope, 403]);
          expect(existing).toEqual(missing);
          if (method === 'HEAD') continue;
          for (const name of atLeastOne(lacking)) expect(answers[0]?.json().detail).toContain(name);
          expect(answers[0]?.json().detail).toBe(answers[1]?.json().detail);
        }
      const [existing, missing] = await answersTo(scopes.join(' '), 'GET');
      // The product of the order does not exist, and is listed by its identifier alone.
      expect([template, existing?.status, missing?.status]).toEqual([template, 200, 404]);
    }
  });
});

const sectionFor = async (scopes: string) => {
  const token = await service.issue('ada', scopes);
  const { text } = await service.send('GET', path, { headers: as(token, BROWSER) });
  return sectionsOf(text).get('Orders') ?? '';
};

test('shows the link alone to a person without the scope of orders', async () => {
  const section = await sectionFor('customers:read');
  expect(section).not.toContain('<table>');
  expect(section).not.toContain('There are no orders yet.');
  expect([...section.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    `${path}/orders?sort=-orderId`,
  ]);
});

test('shows the number of a product to a person without the scope of products', async () => {
  const section = await sectionFor('customers:read orders:read');
  expect(rowsOf(section)[1]?.[2]).toBe('1');
  expect(section).not.toContain('New order');
});

test('shows the author of an order only to a person who may see it', async () => {
  const head = async (scopes: string) => rowsOf(await sectionFor(scopes))[0];
  expect(await head('customers:read orders:read')).not.toContain('Created by');
  expect(await head('customers:read orders:read audit:read')).toContain('Created by');
});

test('shows names and the form to a person with the scopes', async () => {
  const section = await sectionFor('customers:read orders:read orders:write products:read');
  expect(section).toContain('<a href=/products/1>');
  expect(section).toContain('New order');
});
