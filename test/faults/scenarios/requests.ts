import { expect } from '@jest/globals';
import { changes, expectOnce, MERGE, made, named, type Scenario } from './scenario.ts';

/** Requests that have their effect before the response. */
export const requests: readonly Scenario[] = [
  [
    'GET of an item',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      return {
        act: async () => {
          const answer = await stand.ask('GET', path, {}, 200);
          if (answer) expect(answer.json().name).toBe(name);
        },
        verify: async () => {},
      };
    },
  ],
  [
    'POST of an item',
    async (stand, name) => {
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('POST', '/members', { json: { name } }, 201)) !== undefined;
        },
        verify: async () => expectOnce(isDone, (await named(stand, 'members', name)).length),
      };
    },
  ],
  [
    'POST of an item, with a key',
    async (stand, name) => {
      const sent = { json: { name }, headers: { 'Idempotency-Key': name } };
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('POST', '/members', sent, 201)) !== undefined;
        },
        verify: async () => {
          expectOnce(isDone, (await named(stand, 'members', name)).length);
          expect((await stand.client('POST', '/members', sent)).status).toBe(201);
          expect(await named(stand, 'members', name)).toHaveLength(1);
        },
      };
    },
  ],
  [
    'PUT of an item',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('PUT', path, { json: { name: `${name} new` } }, 200)) !== undefined;
        },
        verify: async () => expectOnce(isDone, await changes(stand, path)),
      };
    },
  ],
  [
    'PUT of an item under a condition',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      const { headers } = await stand.client('GET', path);
      const sent = { json: { name: `${name} new` }, headers: { 'If-Match': headers.etag } };
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('PUT', path, sent, 200)) !== undefined;
        },
        verify: async () => expectOnce(isDone, await changes(stand, path)),
      };
    },
  ],
  [
    'PATCH of an item, with a key',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      const sent = { json: { name: `${name} new` }, headers: { ...MERGE, 'Idempotency-Key': name } };
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('PATCH', path, sent, 200)) !== undefined;
        },
        verify: async () => {
          expectOnce(isDone, await changes(stand, path));
          expect((await stand.client('PATCH', path, sent)).status).toBe(200);
          expect(await changes(stand, path)).toBe(1);
        },
      };
    },
  ],
  [
    'DELETE of an item',
    async (stand, name) => {
      const path = await made(stand, '/members', { name });
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('DELETE', path, {}, 204)) !== undefined;
        },
        verify: async () => {
          if (isDone) expect(await changes(stand, path)).toBeUndefined();
        },
      };
    },
  ],
  [
    'POST of an order to a customer',
    async (stand, name) => {
      const customer = await made(stand, '/customers', { name });
      const sent = { json: { productId: 1, orderValue: 1 } };
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('POST', `${customer}/orders`, sent, 201)) !== undefined;
        },
        verify: async () =>
          expectOnce(isDone, (await stand.client('GET', `${customer}/orders`)).json().items.length),
      };
    },
  ],
  [
    'an order is paid',
    async (stand, name) => {
      const customer = await made(stand, '/customers', { name });
      const order = await made(stand, `${customer}/orders`, { productId: 1, orderValue: 1 });
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('POST', `${order}/pay`, {}, 200)) !== undefined;
        },
        verify: async () => {
          expectOnce(isDone, await changes(stand, order));
        },
      };
    },
  ],
  [
    'an order goes to another customer',
    async (stand, name) => {
      const [from, to] = [
        await made(stand, '/customers', { name }),
        await made(stand, '/customers', { name }),
      ];
      const order = await made(stand, `${from}/orders`, { productId: 1, orderValue: 1 });
      const json = { productId: 1, orderValue: 1, customerId: Number(to.split('/').at(-1)) };
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('PUT', order, { json }, 200)) !== undefined;
        },
        verify: async () => {
          const times = (await changes(stand, order)) as number;
          expectOnce(isDone, times);
          for (const [customer, left] of [
            [from, 1 - times],
            [to, times],
          ] as const)
            expect((await stand.client('GET', `${customer}/orders`)).json().items).toHaveLength(left);
        },
      };
    },
  ],
];
