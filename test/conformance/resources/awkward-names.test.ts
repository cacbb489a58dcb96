import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest } from '../../support/service/under-test.ts';

/** Properties whose names the service, JavaScript or JSON use themselves. Source: Specification 2.12, 2.49, D.1. */
underTest();

const NAMES = ['name', 'detail', 'kind', 'status', 'links', 'then', 'toJSON', 'constructor', '__proto__'];
const VALUES: readonly unknown[] = [
  'not-found',
  400,
  true,
  null,
  [],
  ['a'],
  {},
  { kind: 'refused', problem: 1 },
];
const COLLECTIONS = ['/members', '/customers', '/products', '/orders'];

const JSON_TYPE = { 'Content-Type': 'application/json' };
const XML_TYPE = { 'Content-Type': 'application/xml' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** An object with an own property of any name. */
const object = (name: string, value: unknown): string =>
  `{"productId":1,"orderValue":1,"own":1,${JSON.stringify(name)}:${JSON.stringify(value)}}`;

/** True if the service has a meaning of its own for the name: it ignores the property, or checks its type. */
const isOwn = (collection: string, name: string): boolean =>
  name === 'links' ||
  (name === 'status' && collection === '/orders') ||
  (name === 'name' && collection !== '/orders');

/** The item has the property as the client sent it, unless the service has a meaning of its own for the name. */
function expectData(collection: string, name: string, value: unknown, text: string): void {
  const found = JSON.parse(text, (key, one) => (key === '__proto__' ? undefined : one)) as Record<
    string,
    unknown
  >;
  expect(found.own).toBe(1);
  if (isOwn(collection, name)) return;
  if (name === '__proto__') expect(text).toContain(`"__proto__":${JSON.stringify(value)}`);
  else expect({ has: Object.hasOwn(found, name), value: found[name] }).toEqual({ has: true, value });
}

describe.each(COLLECTIONS)('a property of an item of %s', (collection) => {
  describe.each(NAMES)('with the name %s', (name) => {
    test.each(VALUES.map((value) => [value]))('is data, or a clear problem: %j', async (value) => {
      const one = object(name, value);
      const single = await send('POST', collection, { body: one, headers: JSON_TYPE });
      if (single.status === 400) {
        expectProblem(single, 400, 'validation-error');
        expect(single.json().errors.map(({ pointer }) => pointer)).toEqual([`/${name}`]);
        expect(isOwn(collection, name)).toBe(true);
        expectProblem(await send('POST', collection, { body: `[${one}]`, headers: JSON_TYPE }), 400);
        return;
      }
      expect(single.status).toBe(201);
      const path = single.headers.location as string;
      const read = await get(path);
      expectData(collection, name, value, read.text);
      expect((await get(path, { Accept: 'text/html' })).status).toBe(200);

      const array = await send('POST', collection, { body: `[${one},${one}]`, headers: JSON_TYPE });
      expect(array.status).toBe(201);
      const lenient = await send('POST', collection, {
        body: `[${one}]`,
        headers: { ...JSON_TYPE, Prefer: 'handling=lenient' },
      });
      expect(lenient.status).toBe(207);
      for (const { text } of [array, lenient])
        if (!isOwn(collection, name)) expect(text).toContain(`"${name}":${JSON.stringify(value)}`);

      const xml = await get(path, { Accept: 'application/xml' });
      const copied = await send('POST', collection, { body: xml.text, headers: XML_TYPE });
      expect(copied.status).toBe(201);
      expectData(collection, name, value, (await get(copied.headers.location as string)).text);
      const put = await send('PUT', path, { body: read.text, headers: JSON_TYPE });
      expect(put.status).toBe(200);
      expectData(collection, name, value, (await get(path)).text);
    });

    test('is a text in a form', async () => {
      const body = `productId=1&orderValue=1&own=1&${name}=refused`;
      const answer = await send('POST', collection, { body, headers: FORM_TYPE });
      // The service alone sets the state of an order.
      if (name === 'status' && collection === '/orders') return expect(answer.status).toBe(400);
      expect(answer.status).toBe(201);
      const { text } = await get(answer.headers.location as string);
      if (!isOwn(collection, name)) expect(text).toContain(`"${name}":"refused"`);
      const edit = await get(`${answer.headers.location}/edit`, { Accept: 'application/json' });
      expect(edit.status).toBe(200);
    });
  });
});
