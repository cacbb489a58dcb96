import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BROWSER, rowsOf, sectionsOf } from '../../support/client/page.ts';
import { as, type Closed, closed } from '../../support/service/closed.ts';

/** The orders on the page of a customer, for people with different scopes. Source: Specification 11.13, 11.15. */
let service: Closed;
let path: string;
beforeAll(async () => {
  service = await closed();
  const token = await service.issue('ada', 'customers:write customers:read orders:write');
  const made = await service.send('POST', '/customers', { headers: as(token), json: { name: 'Acme' } });
  path = made.headers.location as string;
  await service.send('POST', `${path}/orders`, { headers: as(token), json: { productId: 1 } });
}, 40_000);
afterAll(() => service.stop());

const sectionFor = async (scopes: string) => {
  const token = await service.issue('ada', scopes);
  const { text } = await service.send('GET', path, { headers: as(token, BROWSER) });
  return sectionsOf(text).get('Orders') ?? '';
};

test('shows the link alone to a person without the scope of orders', async () => {
  const section = await sectionFor('customers:read');
  expect(section).not.toContain('<table>');
  expect(section).not.toContain('There are no orders yet.');
  expect([...section.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([`${path}/orders`]);
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
