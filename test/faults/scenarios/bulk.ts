import { expect } from '@jest/globals';
import type { Harness } from '../harness.ts';
import { accepted, changes, ended, MANY, made, madeMany, named, type Scenario } from './scenario.ts';

const paths = (ids: readonly number[]) => ids.map((id) => `/customers/${id}`);
/** The numbers of changes of some of these items. */
const counted = async (stand: Harness, all: readonly string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const path of all.length > SEEN
    ? all.filter((_, at) => at % Math.floor(all.length / SEEN) === 0)
    : all)
    found.push((await changes(stand, path)) as number);
  return found;
};
const customersOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${name}.${at}` }));
const ordersOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ productId: 1, orderValue: at }));

/** A sample of many items: a step that ran twice changed all of its items twice. */
const SEEN = 10;

/** A few at once: all or none. Many as an operation: each once. */
export const bulk: readonly Scenario[] = [
  [
    'three are created',
    async (stand, name) => {
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('POST', '/customers', { json: customersOf(name, 3) }, 201)) !== undefined;
        },
        verify: async () => {
          const { length } = await named(stand, 'customers', name);
          expect(isDone ? [3] : [0, 3]).toContain(length);
        },
      };
    },
  ],
  [
    'three are replaced',
    async (stand, name) => {
      const ids = await madeMany(stand, '/customers', customersOf(name, 3));
      let isDone = false;
      return {
        act: async () => {
          const json = ids.map((id) => ({ id, name: `${name} new` }));
          isDone = (await stand.ask('PUT', '/customers', { json }, 200)) !== undefined;
        },
        verify: async () => {
          const times = new Set(await counted(stand, paths(ids)));
          expect(times.size).toBe(1);
          expect(isDone ? [1] : [0, 1]).toContain([...times][0]);
        },
      };
    },
  ],
  [
    'three of a customer are removed',
    async (stand, name) => {
      const customer = await made(stand, '/customers', { name });
      await madeMany(stand, `${customer}/orders`, ordersOf(3));
      let isDone = false;
      return {
        act: async () => {
          isDone = (await stand.ask('DELETE', `${customer}/orders`, {}, 204)) !== undefined;
        },
        verify: async () => {
          const left = (await stand.client('GET', `${customer}/orders`)).json().items.length;
          expect(isDone ? [0] : [0, 3]).toContain(left);
        },
      };
    },
  ],
  [
    'a lenient creation of three',
    async (stand, name) => {
      const headers = { Prefer: 'handling=lenient' };
      let created: number | undefined;
      return {
        act: async () => {
          const answer = await stand.ask('POST', '/customers', { json: customersOf(name, 3), headers }, 207);
          const items = answer?.json().items as readonly { status?: number }[] | undefined;
          created = items?.filter(({ status }) => status === 201).length;
        },
        verify: async () => {
          const found = await named(stand, 'customers', name);
          expect(new Set(found.map((one) => one.name)).size).toBe(found.length);
          expect(found.length).toBeGreaterThanOrEqual(created ?? 0);
        },
      };
    },
  ],
  [
    'the work of three creations',
    async (stand, name) => {
      const operation = await accepted(stand, 'POST', '/customers', { json: customersOf(name, 3) });
      return {
        act: () => stand.work(),
        verify: async () => {
          expect(await ended(stand, operation)).toMatchObject({ progress: { done: 3, total: 3, failed: 0 } });
          expect(await named(stand, 'customers', name)).toHaveLength(3);
        },
      };
    },
  ],
  [
    'the work of three removals',
    async (stand, name) => {
      const customer = await made(stand, '/customers', { name });
      await madeMany(stand, `${customer}/orders`, ordersOf(3));
      const operation = await accepted(stand, 'DELETE', `${customer}/orders`);
      return {
        act: () => stand.work(),
        verify: async () => {
          expect(await ended(stand, operation)).toMatchObject({ progress: { done: 3, total: 3, failed: 0 } });
          expect((await stand.client('GET', `${customer}/orders`)).json().items).toEqual([]);
        },
      };
    },
  ],
  [
    `the work of ${MANY} creations`,
    async (stand, name) => {
      const operation = await accepted(stand, 'POST', '/customers', { json: customersOf(name, MANY) });
      return {
        act: () => stand.work(),
        verify: async () => {
          expect(await ended(stand, operation)).toMatchObject({
            status: 'Succeeded',
            progress: { done: MANY, failed: 0 },
          });
          expect(await named(stand, 'customers', name)).toHaveLength(MANY);
        },
      };
    },
  ],
  [
    `the work of ${MANY} replacements, in several runs`,
    async (stand, name) => {
      const ids = await madeMany(stand, '/customers', customersOf(name, MANY));
      const json = ids.map((id) => ({ id, name: `${name} new` }));
      const operation = await accepted(stand, 'PUT', '/customers', { json });
      return {
        act: () => stand.work(-1),
        verify: async () => {
          expect(await ended(stand, operation)).toMatchObject({
            status: 'Succeeded',
            progress: { done: MANY, failed: 0 },
          });
          expect(new Set(await counted(stand, paths(ids)))).toEqual(new Set([1]));
        },
      };
    },
  ],
  [
    `the work of ${MANY} removals, cancelled`,
    async (stand, name) => {
      const customer = await made(stand, '/customers', { name });
      await madeMany(stand, `${customer}/orders`, ordersOf(MANY));
      const operation = await accepted(stand, 'DELETE', `${customer}/orders`);
      await stand.work(-1);
      return {
        act: async () => {
          await stand.ask('DELETE', operation, {}, 202);
          await stand.work(-1);
        },
        verify: async () => {
          const { status, progress } = await ended(stand, operation);
          expect(status).not.toBe('Failed');
          const left = (await stand.client('GET', `${customer}/orders?limit=1000`)).json().items.length;
          expect([status, MANY - left]).toEqual([status, progress.done]);
        },
      };
    },
  ],
];
