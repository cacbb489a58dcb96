import { afterEach, expect, test } from '@jest/globals';
import { attachedBetween, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf } from './world.ts';

/** A lenient bulk request under one key never repeats its finished elements. */
attachedBetween();
afterEach(clearFaults);

interface Results {
  readonly items: readonly { readonly status: number; readonly href: string }[];
}
const hrefsOf = ({ items }: Results) => items.map(({ status, href }) => [status, href]);

test('a keyed request that was interrupted has its effect once, whenever the client repeats it', async () => {
  const headers = { prefer: 'handling=lenient', 'idempotency-key': 'lenient' };
  const json = [{ name: 'a' }, { name: 'b' }, { age: -1 }];
  // The items are written, but the answer of the whole request is not recorded.
  next('PutItem', () => next('PutItem', 'fails', { times: 3 }));
  expect((await ask('POST', '/members', { json, headers })).status).toBe(503);
  clearFaults();
  const made = bodyOf(await ask('GET', '/members')) as unknown as { items: { id: number }[] };
  expect(made.items).toHaveLength(2);
  const repeated = await ask('POST', '/members', { json, headers });
  expect(repeated.status).toBe(207);
  const results = hrefsOf(bodyOf(repeated) as unknown as Results);
  expect(new Set(results.slice(0, 2).map(([, href]) => href))).toEqual(
    new Set(made.items.map(({ id }) => `/members/${id}`)),
  );
  expect(results.map(([status]) => status)).toEqual([201, 201, 400]);
  expect((bodyOf(await ask('GET', '/members')) as unknown as { items: unknown[] }).items).toHaveLength(2);
});
