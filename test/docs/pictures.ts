import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../support/client/client.ts';

/** A page that docs/pages shows in pictures, of a new service. */
export interface Picture {
  readonly path: string;
  /** Rows to tick, the newest first. */
  readonly ticks?: number;
  /** The button to press. */
  readonly press?: string;
  /** Inputs to fill by label before the button is pressed. */
  readonly fills?: Readonly<Record<string, string>>;
  /** The same form as a request, whose response the picture shows. */
  readonly sends?: { readonly path: string; readonly body: string };
}

const MEMBERS = ['Ada Byron', 'Grace Murray', 'Linus Pauling', 'Zoë Ångström'];
const CUSTOMERS = ['Blue Door Café', 'Lindqvist & Daughters', 'Night School'];

/** The devices of the pictures of each page, by the ends of their names. */
export const DEVICES = {
  '': { width: 1280, height: 800, dark: false },
  '-dark': { width: 1280, height: 800, dark: true },
  '-phone': { width: 390, height: 844, dark: false },
  '-phone-dark': { width: 390, height: 844, dark: true },
} as const;

/**
 * Makes members, files, customers, two of them with the same first word in their names, and orders in each state. Returns
 * the paths of a customer and of an order. Each item has a millisecond of its own, so lists always have the same order.
 */
async function filled(client: Client): Promise<{ customer: string; order: string }> {
  const create = async (path: string, json: object) => {
    await wait(2);
    const { status, headers, text } = await client('POST', path, { json });
    if (status !== 201 || headers.location === undefined)
      throw new Error(`${status} to POST ${path}: ${text}`);
    return headers.location;
  };
  const order = async (customer: string, json: object, ...moves: readonly string[]) => {
    const path = await create(`${customer}/orders`, json);
    for (const move of moves) await client('POST', `${path}/${move}`);
    return path;
  };
  for (const name of MEMBERS) await create('/members', { name, username: name });
  for (const [at, name] of CUSTOMERS.entries())
    await order(await create('/customers', { name }), { productId: at + 1, quantity: 24 - 10 * at });
  const { text } = await client('GET', '/assets/icon.svg');
  for (const [name, type, body] of [
    ['books.csv', 'text/csv', 'title,copies\nTransit,2\n'],
    ['logo.svg', 'image/svg+xml', text],
  ] as const)
    await client('PUT', `/files/${name}`, { body, headers: { 'Content-Type': type } });
  const studio = await create('/customers', { name: 'Harbour Light Studio' });
  const books = await create('/customers', { name: 'Harbour Books', email: 'post@harbour.example' });
  await order(studio, { productId: 3, quantity: 1 }, 'pay', 'place', 'complete');
  await order(studio, { productId: 1, quantity: 2 }, 'cancel');
  await order(studio, { productId: 2, quantity: 12 }, 'pay', 'place');
  await order(books, { productId: 1, quantity: 4 });
  const paid = await order(books, { productId: 3, quantity: 4 });
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await client('PATCH', paid, { body: '{"quantity":2,"orderValue":158}', headers });
  await client('POST', `${paid}/pay`);
  // The history has a change some milliseconds later.
  const isLogged = async () =>
    (await client('GET', '/changes')).text.includes(`order.paid","subject":"${paid}`);
  for (let left = 100; left > 0 && !(await isLogged()); left -= 1) await wait(50);
  return { customer: books, order: paid };
}

/** Fills a new service. Returns the pictures by their names. */
export async function pictures(client: Client): Promise<Readonly<Record<string, Picture>>> {
  const { customer, order } = await filled(client);
  return {
    customer: { path: customer },
    'delete-customer': { path: `${customer}/delete` },
    files: { path: '/files' },
    filters: { path: '/orders?customerId=Harbour', press: 'Filters' },
    history: { path: `${order}/versions` },
    home: { path: '/' },
    missing: { path: '/customers/1' },
    'new-order': {
      path: '/orders/new',
      fills: { Customer: 'Harbour', Product: 'Stoneware mug' },
      press: 'Create order',
      sends: { path: '/orders', body: 'customerId=Harbour&productId=Stoneware+mug&quantity=1' },
    },
    'new-subscription': { path: '/subscriptions/new' },
    order: { path: order },
    orders: { path: '/orders?sort=-orderId', ticks: 2 },
    products: { path: '/products?sort=-id' },
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The markup without what differs from run to run: identifiers, digests, times, and the address of the script. */
const stable = (markup: string): string =>
  markup
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replace(/\d{10,}/g, 'number')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'time')
    .replace(/<script[^>]*>/g, '<script>');

/** A digest of the style sheet, and of the markup that each picture shows. */
export async function shownBy(
  client: Client,
  all: Readonly<Record<string, Picture>>,
): Promise<Readonly<Record<string, string>>> {
  const style = await client('GET', '/assets/pages.css');
  const shown: Record<string, string> = { style: digestOf(style.text) };
  for (const [name, { path, sends }] of Object.entries(all)) {
    const headers = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = sends
      ? await client('POST', sends.path, { headers, body: sends.body })
      : await client('GET', path, { headers: { Accept: 'text/html' } });
    if (!answer.text.startsWith('<!')) throw new Error(`${answer.status} to ${path} is not a page`);
    shown[name] = digestOf(stable(answer.text));
  }
  return shown;
}
