import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client/client.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { create, underTestAlone, unique } from '../support/service/under-test.ts';
import { contradiction, type Model } from './linearizable.ts';
import { file, member, order, shop } from './models.ts';
import { type Exchanged, type Request, recorded, shown } from './recorded.ts';

/**
 * The effects of concurrent clients must equal some sequential order. SEED repeats their requests, and HISTORIES
 * sets the number of histories of each kind.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const HISTORIES = Number(process.env.HISTORIES ?? 4);
const CLIENTS = 6;
const TIMES = 12;
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const MOVES = ['pay', 'place', 'complete', 'cancel'] as const;

// The service removes a deleted customer from orders after this time. The model of a history does not know that.
process.env.LEASE_SECONDS = '30';
underTestAlone();

function expectOrder<State>(model: Model<State, Request, Answer>, history: readonly Exchanged[]): void {
  const longest = contradiction(model, history);
  const lines = longest && ['The longest order:', ...shown(longest), 'All requests:', ...shown(history)];
  expect(lines?.join('\n')).toBeUndefined();
}

const clientsOf = (at: number) =>
  Array.from({ length: CLIENTS }, (_, client) =>
    randomNumbers((SEED + at * 7919 + client * 104_729) % 2 ** 31),
  );

describe.each(Array.from({ length: HISTORIES }, (_, at) => at))(
  `history %i is linearizable (SEED=${SEED})`,
  (at) => {
    test('for a member', async () => {
      const { path } = await create('/members', { name: 'first', age: 0 });
      let writes = 0;
      const history = await recorded(clientsOf(at), TIMES, (next, last): Request => {
        const kind = next();
        if (kind < 0.3) return { method: 'GET', path };
        writes += 1;
        const name = `name ${writes}`;
        if (kind < 0.65) {
          const { etag } = last?.headers ?? {};
          const headers = etag !== undefined && next() < 0.8 ? { 'If-Match': etag } : {};
          return { method: 'PUT', path, sent: { json: { name, age: writes }, headers } };
        }
        return {
          method: 'PATCH',
          path,
          sent: { json: next() < 0.5 ? { name } : { age: writes }, headers: MERGE },
        };
      });
      expectOrder(member({ version: 1, name: 'first', age: 0 }), history);
    });

    test('for a file', async () => {
      const path = `/files/${unique('history')}`;
      let writes = 0;
      const history = await recorded(clientsOf(at + 100), TIMES, (next, last): Request => {
        const kind = next();
        if (kind < 0.3) return { method: 'GET', path };
        if (kind < 0.5) return { method: 'DELETE', path };
        writes += 1;
        const body = `bytes ${writes}`;
        const { etag } = last?.headers ?? {};
        if (kind < 0.75) return { method: 'PUT', path, sent: { body, headers: { 'If-None-Match': '*' } } };
        return {
          method: 'PUT',
          path,
          sent: { body, headers: etag === undefined ? {} : { 'If-Match': etag } },
        };
      });
      expectOrder(file, history);
    });

    test('for an order', async () => {
      const { path } = await create('/orders', { productId: 1, orderValue: 1 });
      const history = await recorded(clientsOf(at + 200), TIMES, (next): Request => {
        if (next() < 0.4) return { method: 'GET', path };
        // Later transitions are less likely, so an order stays active for a while.
        const move = MOVES[Math.floor(next() ** 3 * MOVES.length)] as string;
        return { method: 'POST', path: `${path}/${move}` };
      });
      expectOrder(order, history);
    });

    test('for a customer, new orders of it, and an order that gets it', async () => {
      const customer = await create('/customers', { name: 'Acme' });
      const values = { productId: 1, orderValue: 1 };
      const { path } = await create('/orders', values);
      const paths = new Set([customer.path, path]);
      const named = { json: { ...values, customerId: customer.id } };
      const history = await recorded(clientsOf(at + 300), TIMES, (next, last): Request => {
        if (last?.status === 201) paths.add(last.headers.location as string);
        const kind = next();
        if (kind < 0.03) return { method: 'DELETE', path: customer.path };
        if (kind < 0.25) return { method: 'POST', path: `${customer.path}/orders`, sent: { json: values } };
        if (kind < 0.45) return { method: 'POST', path: '/orders', sent: named };
        if (kind < 0.6) return { method: 'PUT', path, sent: named };
        if (kind < 0.7) return { method: 'PUT', path, sent: { json: { ...values, customerId: null } } };
        return { method: 'GET', path: [...paths][Math.floor(next() * paths.size)] as string };
      });
      expectOrder(shop(customer.path, path), history);
    });
  },
);
