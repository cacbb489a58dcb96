import { create, get, unique } from '../service/under-test.ts';
import type { Answer, Body } from './client.ts';

/** The target of the link with this relation. */
export const linkOf = (body: Body, rel: string) => body.links.find((link) => link.rel === rel)?.href;

/** Every page from `path` along `rel`. */
export async function walk(
  path: string,
  rel = 'next',
  between?: (page: number) => Promise<unknown>,
): Promise<Body[]> {
  const pages: Body[] = [];
  for (let at: string | undefined = path; at !== undefined; ) {
    const answer: Answer = await get(at);
    if (answer.status !== 200) throw new Error(`${answer.status} to GET ${at}: ${answer.text}`);
    pages.push(answer.json());
    at = linkOf(answer.json(), rel);
    if (pages.length > 500) throw new Error('The walk does not end');
    if (at !== undefined) await between?.(pages.length);
  }
  return pages;
}

/** The items of all pages. */
export const itemsOf = (pages: readonly Body[]) => pages.flatMap(({ items }) => items);

/** A customer with orders: a separate list in a shared service. */
export async function customerWith(orders: readonly object[]): Promise<{ path: string; ids: number[] }> {
  const customer = await create('/customers', { name: unique('list') });
  const path = `${customer.path}/orders`;
  const ids: number[] = [];
  for (const order of orders) ids.push((await create(path, { productId: 1, orderValue: 1, ...order })).id);
  return { path, ids };
}
