import type { SuiteService } from '../service.ts';

/** The checked pages: a name and a path for each. */
export type Pages = readonly (readonly [name: string, path: string])[];

const TEXT = 'Blue Door Ceramics and Glass, Importers of Fine Tableware';

/** Pages of a service without data. */
export const EMPTY: Pages = [
  ['home', '/'],
  ['no-members', '/members'],
  ['no-files', '/files'],
];

/** Creates data for each kind of page, with short and long texts. Returns the pages. */
export async function filled({ client, create }: SuiteService): Promise<Pages> {
  const member = await create('/members', {
    username: 'ada',
    name: 'Ada Byron',
    email: 'ada.byron@analytical-engines.example',
    age: 36,
    'favourite-machines': ['Difference Engine', 'Analytical Engine'],
    motto:
      'The Analytical Engine weaves algebraic patterns just as the Jacquard loom weaves flowers and leaves.',
  });
  for (const name of ['Grace Hopper', 'Katherine Johnson', 'Mary Jackson'])
    await create('/members', { name, username: name.toLowerCase().replace(' ', '.') });
  const customer = await create('/customers', {
    name: TEXT,
    address: '12 Quay Street\nGalway',
    email: 'a@b.example',
  });
  const order = await create(`${customer}/orders`, { productId: 1, quantity: 3 });
  await create(`${customer}/orders`, { productId: 3, quantity: 2, orderValue: 149.9 });
  await client('DELETE', await create(`${customer}/orders`, { productId: 2 }));
  const file = '/files/annual%20report%20of%20the%20workshop%202026%20(final).txt';
  for (const path of [file, '/files/mug.png', '/files/notes.txt'])
    await client('PUT', path, { body: 'stored', headers: { 'Content-Type': 'text/plain' } });
  return [
    ['overview', '/'],
    ['found', '/?search=son'],
    ['health', '/health'],
    ['problem-type', '/problems/validation-error'],
    ['members', '/members'],
    ['members-page', '/members?limit=1&offset=1&sort=-name'],
    ['member', member],
    ['member-new', '/members/new'],
    ['member-edit', `${member}/edit`],
    ['member-delete', `${member}/delete`],
    ['customers', '/customers'],
    ['customer', customer],
    ['customer-edit', `${customer}/edit`],
    ['customer-orders', `${customer}/orders`],
    ['orders', '/orders?minCost=1'],
    ['orders-found', `/orders?customerId=Blue`],
    ['order', order],
    ['order-new', '/orders/new'],
    ['order-edit', `${order}/edit`],
    ['order-customer', `${order}/customer`],
    ['orders-removed', '/orders/removed'],
    ['order-products', `${order}/products`],
    ['products', '/products'],
    ['product', '/products/1'],
    ['product-new', '/products/new'],
    ['files', '/files'],
    ['file-delete', `${file}/delete`],
    ['not-found', '/members/1'],
    ['not-there', '/nothing/here'],
    ['chained', '/customers/1/orders/99/products'],
    ['bad-query', '/members?limit=-1&sort=nothing'],
  ];
}
