import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

underTest();

/** Names that JavaScript objects, promises and prototypes use. */
const AWKWARD = ['detail', 'kind', 'status', 'type', 'title', 'errors', 'problem', 'item', 'failure', 'then'];
const MORE = ['toJSON', 'constructor', 'prototype', 'valueOf', 'hasOwnProperty', 'length', 'values'];
const SCRIPTS = ['größe', '名', 'имя', 'नाम'];

const text = fc.string({ unit: fc.constantFrom(...'aZ09 é€😀<&>"\'\\\n/~#.'), maxLength: 12 });
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, scalar, tie('array'), tie('object')),
  array: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/), text), tie('any'), {
    maxKeys: 3,
  }),
})).any;
const name = fc.oneof(
  fc.constantFrom(...AWKWARD, ...MORE, ...SCRIPTS),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9]{2,8}$/),
);
const reserved = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'links', 'address', 'email'];

/** The properties of a customer as a client may send them: a declared text, and undeclared values of every kind. */
const customer = fc
  .tuple(fc.constantFrom('Acme', 'conflict', 'not-found'), fc.dictionary(name, value, { maxKeys: 6 }))
  .map(([called, others]) => {
    const own = Object.entries(others).filter(([key]) => !reserved.includes(key) && key !== '__proto__');
    return JSON.parse(JSON.stringify({ ...Object.fromEntries(own), name: called })) as Record<
      string,
      unknown
    >;
  });

/** The client's properties as the service returns them now. */
async function shown(path: string): Promise<Record<string, unknown>> {
  const { id, createdAt, updatedAt, links, ...rest } = (await get(path)).json();
  return rest;
}

const idsIn = (body: unknown): readonly string[] =>
  ((body as { items: { id: number }[] }).items ?? []).map(({ id }) => `/customers/${id}`);

const json = (values: unknown) => ({ json: values });
const RUNS = { numRuns: 40 };

describe('an open item returns the properties that a client sent', () => {
  test('by POST and PUT of one item', () =>
    fc.assert(
      fc.asyncProperty(customer, customer, async (first, second) => {
        const { path } = await create('/customers', first);
        expect(await shown(path)).toEqual(first);
        expect((await send('PUT', path, json(second))).status).toBe(200);
        expect(await shown(path)).toEqual(second);
        expect((await get(path, { Accept: 'text/html' })).status).toBe(200);
      }),
      RUNS,
    ));

  test('by POST and PUT of an array', () =>
    fc.assert(
      fc.asyncProperty(fc.array(customer, { minLength: 1, maxLength: 4 }), async (sent) => {
        const created = await send('POST', '/customers', json(sent));
        expect(created.status).toBe(201);
        const paths = idsIn(created.json());
        expect(await Promise.all(paths.map(shown))).toEqual(sent);
        const reversed = [...sent].reverse();
        const elements = reversed.map((values, at) => ({ ...values, id: Number(paths[at]?.split('/')[2]) }));
        expect((await send('PUT', '/customers', json(elements))).status).toBe(200);
        expect(await Promise.all(paths.map(shown))).toEqual(reversed);
      }),
      RUNS,
    ));

  test('by a lenient POST and PUT of an array', () =>
    fc.assert(
      fc.asyncProperty(fc.array(customer, { minLength: 1, maxLength: 4 }), async (sent) => {
        const headers = { Prefer: 'handling=lenient' };
        const created = await send('POST', '/customers', { ...json(sent), headers });
        expect(created.status).toBe(207);
        const results = created.json().items as unknown as { href: string; status: number }[];
        expect(results.map(({ status }) => status)).toEqual(sent.map(() => 201));
        const paths = results.map(({ href }) => href);
        expect(await Promise.all(paths.map(shown))).toEqual(sent);
        const elements = sent.map((values, at) => ({ ...values, id: Number(paths[at]?.split('/')[2]) }));
        const replaced = await send('PUT', '/customers', { ...json(elements), headers });
        expect(replaced.status).toBe(207);
        expect(await Promise.all(paths.map(shown))).toEqual(sent);
      }),
      RUNS,
    ));

  test("by POST of the item's own XML", () =>
    fc.assert(
      fc.asyncProperty(customer, async (sent) => {
        const { path } = await create('/customers', sent);
        const { text: body } = await get(path, { Accept: 'application/xml' });
        const headers = { 'Content-Type': 'application/xml' };
        const created = await send('POST', '/customers', { body, headers });
        expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, '']);
        expect(await shown(created.headers.location as string)).toEqual(sent);
      }),
      RUNS,
    ));

  test('by JSON Patch and by merge patch', () =>
    fc.assert(
      fc.asyncProperty(customer, async (sent) => {
        const { path } = await create('/customers', { name: 'Before' });
        const operations = Object.entries(sent).map(([key, to]) => ({
          op: 'add',
          path: `/${key}`,
          value: to,
        }));
        const patch = { headers: { 'Content-Type': 'application/json-patch+json' }, json: operations };
        expect((await send('PATCH', path, patch)).status).toBe(200);
        expect(await shown(path)).toEqual(sent);
        const merge = {
          headers: { 'Content-Type': 'application/merge-patch+json' },
          json: { name: 'After' },
        };
        expect((await send('PATCH', path, merge)).status).toBe(200);
        expect(await shown(path)).toEqual({ ...sent, name: 'After' });
      }),
      RUNS,
    ));

  test('by a form, whose values are texts', () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(name, text, { minKeys: 1, maxKeys: 5 }), async (inputs) => {
        const usable = Object.entries(inputs).filter(
          ([key, to]) => to !== '' && !reserved.includes(key) && key !== 'name' && key !== '__proto__',
        );
        const sent = Object.fromEntries([...usable, ['name', 'conflict']]);
        const body = new URLSearchParams(sent).toString();
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const created = await send('POST', '/customers', { body, headers });
        expect(created.status).toBe(201);
        expect(await shown(created.headers.location as string)).toEqual(sent);
      }),
      RUNS,
    ));
});
