import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../shared/json/value.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Route } from '../../shared/resource/route.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { newItem } from '../../shared/store/write/new-item.ts';

/** The first products of an empty service, so that orders have a product and products have an image. */
const PRODUCTS = [
  { name: 'Stoneware mug', category: 'kitchen', price: 14.5, color: 'terracotta', size: '350 ml' },
  { name: 'Ruled notebook', category: 'stationery', price: 9.9, color: 'blue', size: 'A5' },
  { name: 'Reading lamp', category: 'lighting', price: 79, color: 'yellow', size: '42 cm' },
];

const MEMBERS: readonly JsonObject[] = [
  { username: 'ada', name: 'Ada Byron', email: 'ada@example.com', age: 36 },
  {
    username: 'grace',
    name: 'Grace Murray',
    email: 'grace@example.com',
    age: 45,
    languages: ['en', 'cobol'],
  },
  { username: 'linus', name: 'Linus Pauling', email: 'linus@example.com', age: 52 },
  { username: 'zoe', name: 'Zoë Ångström', email: 'zoe@example.com' },
];

const CUSTOMERS: readonly JsonObject[] = [
  { name: 'Blue Door Café', address: '12 Quay Street, Galway', email: 'orders@bluedoor.example' },
  {
    name: 'Lindqvist & Daughters',
    address: 'Storgatan 4, Umeå',
    email: 'hej@lindqvist.example',
    vatId: 'SE556677',
  },
  { name: 'Night School', address: '77 Mill Road, Cambridge', email: 'desk@nightschool.example' },
];

/** `customer`: index of one of the customers above. */
const ORDERS = [
  { customer: 0, productId: 1, quantity: 24, orderValue: 348 },
  { customer: 0, productId: 3, quantity: 2, orderValue: 158 },
  { customer: 1, productId: 2, quantity: 100, orderValue: 990 },
  { customer: 1, productId: 1, quantity: 1, orderValue: 14.5 },
  { customer: 2, productId: 2, quantity: 30, orderValue: 267.3 },
];

/** Identifiers count the milliseconds since this moment. */
const EPOCH = Date.UTC(2026, 0, 1);

const named = (registry: readonly Resource[], name: string) => registry.find((one) => one.name === name);

/** Adds products 1 to 3, each with its image. A service without the example resources gets none. */
export async function exampleProducts(registry: readonly Resource[]): Promise<void> {
  const products = named(registry, 'products');
  if (!products) return;
  const items = itemsOf(products, SERVICE);
  for (const [at, values] of PRODUCTS.entries()) {
    const id = at + 1;
    const bytes = readFileSync(join(import.meta.dirname, `product-${id}.png`));
    const product = newItem(products, SERVICE, EPOCH, values, id);
    const image = { name: 'productImage', sent: { bytes, mediaType: 'image/png' } };
    await items.insert(product, { binaries: [image] });
  }
}

/**
 * Adds members, customers and their orders. It adds nothing if there are customers already, or if the service lacks
 * one of these resources.
 */
export async function exampleData(registry: readonly Resource[]): Promise<void> {
  const members = named(registry, 'members');
  const customers = named(registry, 'customers');
  const orders = named(registry, 'orders');
  if (!members || !customers || !orders) return;
  const page = { limit: 1, offset: 0, sortOrder: [{ field: 'id', descending: false }], filters: [] };
  const { GET } = endpointsOf(customers);
  const outcome =
    GET?.takes === 'list' ? await GET.run({ caller: SERVICE, now: Date.now(), page }) : undefined;
  if (outcome?.kind === 'found' && outcome.state.kind === 'list' && outcome.state.page.items.length > 0)
    return;

  for (const values of MEMBERS) await create(members, { ...values });
  const ids: number[] = [];
  for (const values of CUSTOMERS) ids.push(await create(customers, { ...values }));
  for (const { customer, ...values } of ORDERS)
    await create(orders, { ...values, customerId: ids[customer] ?? 0 });
}

/** Returns the endpoints of the collection. */
const endpointsOf = ({ name, routes }: Resource): Route['endpoints'] =>
  routes.find(({ path }) => path === `/${name}`)?.endpoints ?? {};

async function create(resource: Resource, values: JsonObject): Promise<number> {
  const { POST } = endpointsOf(resource);
  const outcome =
    POST?.takes === 'create' ? await POST.run({ caller: SERVICE, now: Date.now(), values }) : undefined;
  if (outcome?.kind !== 'created' || outcome.state.kind !== 'item')
    throw new Error(`The example ${resource.name} were refused`);
  return outcome.state.item.id as number;
}
