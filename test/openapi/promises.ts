import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../support/client/client.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { create, send, unique } from '../support/service/under-test.ts';
import { violations } from './contract.ts';

/** A request and its expected status. `<name>` in a path is the identifier of an existing item. */
export type Case = readonly [status: number, method: string, path: string, sent?: SentRequest];

export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
export const PATCH = { 'Content-Type': 'application/json-patch+json' };
export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
export const XML = { 'Content-Type': 'application/xml', Accept: 'application/xml' };

/** The identifier of a finished operation. */
async function later(method: string, path: string, json: unknown): Promise<string> {
  const { headers } = await send(method, path, { json, headers: { Prefer: 'respond-async' } });
  const Prefer = 'wait=20';
  await send('GET', headers.location as string, { headers: { Prefer } });
  return (headers.location as string).split('/').at(-1) as string;
}

/** Sends the requests in order and compares each response with the description. */
export function keepsPromises(cases: readonly Case[]): void {
  const made: Record<string, string> = {};
  beforeAll(async () => {
    const customer = await create('/customers', { name: unique('described'), vatId: 'IE1' });
    const product = await create('/products', { name: 'Mug', price: 14.5 });
    const order = await create(`${customer.path}/orders`, { productId: product.id });
    const member = await create('/members', { name: unique('described') });
    const lonely = await create('/orders', { productId: 999_999, orderValue: 1 });
    const [done, made201] = await Promise.all([
      later('PUT', member.path, { name: 'later' }),
      later('POST', '/members', { name: 'later' }),
    ]);
    Object.assign(made, {
      done,
      new: made201,
      customer: customer.id,
      product: product.id,
      order: order.id,
      member: member.id,
      lonely: lonely.id,
      file: unique('described'),
    });
    await send('PUT', `/files/${made.file}`, { body: 'hello, world' });
    await send('PUT', `/products/${made.product}?fields=productImage`, {
      body: 'image',
      headers: { 'Content-Type': 'image/png' },
    });
  });

  describe('the service responds as the description says: status, media type, header fields, content', () => {
    for (const [at, [status, method, template, sent]] of atLeastOne(cases.entries())) {
      test(`${at + 1}: ${method} ${template} → ${status}`, async () => {
        const path = template.replace(/<(\w+)>/g, (_all, name: string) => String(made[name]));
        const answer = await send(method, path, sent);
        expect(answer.status).toBe(status);
        expect(violations(method, path, answer)).toEqual([]);
      });
    }
  });
}
