import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../support/client/client.ts';

/** A page that docs/pages shows in a picture, of a new service. */
export interface Picture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
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

const LAPTOP = { width: 1280, height: 800 };

/**
 * Makes members, customers, two of them with the same first word in their names, and orders in each state. Returns the
 * paths of a customer and of an order. Each item has a millisecond of its own, so lists always have the same order.
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
  const studio = await create('/customers', { name: 'Harbour Light Studio' });
  const books = await create('/customers', { name: 'Harbour Books', email: 'post@harbour.example' });
  await order(studio, { productId: 3, quantity: 1 }, 'pay', 'place', 'complete');
  await order(studio, { productId: 1, quantity: 2 }, 'cancel');
  await order(studio, { productId: 2, quantity: 12 }, 'pay', 'place');
  await order(books, { productId: 1, quantity: 4 });
  return { customer: books, order: await order(books, { productId: 3, quantity: 2 }, 'pay') };
}

/** Fills a new service. Returns the pictures by their names. */
export async function pictures(client: Client): Promise<Readonly<Record<string, Picture>>> {
  const { customer, order } = await filled(client);
  return {
    customer: { ...LAPTOP, path: customer },
    'delete-customer': { ...LAPTOP, path: `${customer}/delete` },
    filters: { ...LAPTOP, path: '/orders?customerId=Harbour', press: 'Filters' },
    home: { ...LAPTOP, path: '/' },
    missing: { ...LAPTOP, path: '/customers/1' },
    'new-order': {
      ...LAPTOP,
      path: '/orders/new',
      fills: { Customer: 'Harbour', Product: 'Stoneware mug' },
      press: 'Create order',
      sends: { path: '/orders', body: 'customerId=Harbour&productId=Stoneware+mug&quantity=1' },
    },
    order: { path: order, width: 800, height: 690 },
    orders: { ...LAPTOP, path: '/orders?sort=-orderId', ticks: 2 },
    'orders-dark': { ...LAPTOP, path: '/orders?status=created', dark: true },
    'orders-phone': { width: 360, height: 780, path: '/orders?sort=-orderId' },
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
