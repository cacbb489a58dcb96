/** Requests that depend on the defaults of a client: media types, forms, files, lengths, redirects, conditions. */

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Body } from '../../../test/support/client/client.ts';
import type { Answer, Client, SentFile, SentRequest } from './clients.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const ROWS = Buffer.from('a,b\r\n1,2\r\n'.repeat(300));
const PATCH = '[{"op":"test","path":"/name","value":"Bo"},{"op":"add","path":"/age","value":2}]';
const ASYNC = { Prefer: 'respond-async' };

/** The bytes of `/files/large.bin`, which exists before a walk. */
export const LARGE = Buffer.from('0123456789abcdef'.repeat(5 * 65_536));

/** Content with this media type. */
const typed = (body: string, type: string): SentRequest => ({
  body: Buffer.from(body),
  headers: { 'Content-Type': type },
});

/** The steps of a client in their order. Later ones use what earlier ones created. `name`: of its files. */
export function stepsOf(
  client: Client,
  base: string,
  name: string,
): Readonly<Record<string, () => Promise<void>>> {
  /** Sends a request, and checks the status. */
  const call = async (
    status: number,
    method: string,
    path: string,
    sent: SentRequest = {},
  ): Promise<Answer> => {
    const answer = await client.send(method, base + path, sent);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.body.toString().slice(0, 300)}`);
    if (status >= 400) assert.equal(answer.headers['content-type'], 'application/problem+json');
    return answer;
  };
  const get = (path: string, sent?: SentRequest) => call(200, 'GET', path, sent);
  const json = async (path: string): Promise<Body> => (await get(path)).json();
  const made = async (path: string, sent: SentRequest): Promise<string> =>
    (await call(201, 'POST', path, sent)).headers.location ?? '';
  const hasBytes = async (path: string, bytes: Buffer, type: string): Promise<void> => {
    const { body, headers } = await get(path);
    assert.ok(body.equals(bytes), `${path} has other bytes`);
    assert.equal(headers['content-type']?.split(';')[0], type);
  };
  /** The response to a client that asks for the status of an operation until it ends. */
  const ended = async ({ headers: { location = '' } }: Answer): Promise<Answer> => {
    for (;;) {
      const answer = await get(location);
      if (!['NotStarted', 'Running'].includes(String(answer.json().status))) return answer;
      await pause(200);
    }
  };
  const file = `/files/${name}.csv`;

  return {
    'a member from creation to deletion': async () => {
      const path = await made('/members', { json: { name: 'Ada', age: 36, team: 'A' } });
      assert.equal((await json(path)).team, 'A');
      const put = await call(200, 'PUT', path, { json: { name: 'Bo', age: 1 } });
      assert.equal(put.json().team, undefined);
      const merged = await call(200, 'PATCH', path, typed('{"age":null}', 'application/merge-patch+json'));
      assert.equal(merged.json().age, undefined);
      const patched = await call(200, 'PATCH', path, typed(PATCH, 'application/json-patch+json'));
      assert.equal(patched.json().age, 2);
      assert.equal((await call(200, 'POST', path, { json: { name: 'Cy' } })).json().age, 2);
      assert.equal((await call(204, 'DELETE', path)).body.length, 0);
      await call(404, 'GET', path);
      await call(415, 'POST', '/members', { body: Buffer.from('{"name":"Ada"}') });
    },
    'forms of a member': async () => {
      let path = '';
      for (const collection of ['/members/new', '/members']) {
        path = await made(collection, { form: { name: 'Ada Byron', age: '36' } });
        const member = await json(path);
        assert.deepEqual([member.name, member.age], ['Ada Byron', 36]);
      }
      const edited = await call(200, 'POST', `${path}/edit`, { form: { age: '37' } });
      assert.equal(edited.json().age, 37);
      await call(204, 'POST', `${path}/delete`);
    },
    'a photo of a member and an image of a product': async () => {
      const photo = await made('/members', { files: [{ part: 'photo', name: 'photo.png', content: PNG }] });
      const image = `${await made('/products', { json: { name: 'Chair', price: 20 } })}?fields=productImage`;
      await call(404, 'GET', image);
      await call(201, 'PUT', image, { body: PNG });
      for (const path of [`${photo}?fields=photo`, image]) await hasBytes(path, PNG, 'image/png');
    },
    'orders of a customer': async () => {
      const customer = await made('/customers', { json: { name: 'Acme', color: 'red' } });
      const product = await made('/products', { json: { name: 'Mug', price: 10 } });
      const productId = Number(product.split('/').at(-1));
      const order = await made(`${customer}/orders`, { json: { productId, quantity: 2 } });
      assert.equal((await json(order)).orderValue, 20);
      assert.equal((await call(200, 'POST', `${order}/pay`)).json().status, 'paid');
      await call(409, 'PATCH', order, typed('{"quantity":3}', 'application/merge-patch+json'));
      assert.equal((await json(`${customer}/orders`)).items.length, 1);
      const refused = await call(400, 'POST', '/orders', {
        json: { productId, quantity: 0, orderValue: -1 },
      });
      assert.deepEqual(
        refused.json().errors?.map(({ pointer }) => pointer),
        ['/orderValue', '/quantity'],
      );
    },
    'pages of a list': async () => {
      for (const team of ['a', 'b', 'c'])
        await made('/members', { json: { name: 'Page', team: team + name } });
      const seen: unknown[] = [];
      let path: string | undefined = '/members?name=Page&limit=2&sort=-createdAt';
      for (let pages = 0; path !== undefined; pages++) {
        assert.ok(pages < 10);
        const page = await json(path);
        seen.push(...page.items.map(({ team }) => team).filter((team) => String(team).endsWith(name)));
        path = page.links.find(({ rel }) => rel === 'next')?.href;
      }
      assert.deepEqual(seen.sort(), [`a${name}`, `b${name}`, `c${name}`]);
    },
    'XML of a customer': async () => {
      const text = '<?xml version="1.0"?><customer><name>Zoë &amp; Co</name></customer>';
      const path = await made('/customers', typed(text, 'application/xml'));
      const { body, headers } = await get(path, { headers: { Accept: 'application/xml' } });
      assert.equal(headers['content-type']?.split(';')[0], 'application/xml');
      assert.match(body.toString(), /<name>Zoë &amp; Co<\/name>/);
      assert.equal((await json(path)).name, 'Zoë & Co');
    },
    'PUT creates and replaces a file': async () => {
      assert.equal((await call(201, 'PUT', file, { body: Buffer.from('old') })).headers.location, file);
      await call(200, 'PUT', file, { body: ROWS });
      await hasBytes(file, ROWS, 'text/csv');
    },
    'one file and several files in a form': async () => {
      const content = Buffer.from('text');
      const files = ['a', 'b'].map(
        (one): SentFile => ({ part: 'file', name: `${name}-${one}.txt`, content }),
      );
      assert.equal(await made('/files', { files: files.slice(0, 1) }), `/files/${name}-a.txt`);
      assert.equal(await made('/files', { files }), '/files');
      for (const one of files) {
        await hasBytes(`/files/${one.name}`, content, 'text/plain');
        await call(204, 'DELETE', `/files/${one.name}`);
      }
    },
    'ranges of a file': async () => {
      for (const [range, first, last] of [
        ['0-3', 0, 3],
        ['2990-', 2990, 2999],
        ['-5', 2995, 2999],
      ] as const) {
        const { body, headers } = await call(206, 'GET', file, { headers: { Range: `bytes=${range}` } });
        assert.ok(body.equals(ROWS.subarray(first, last + 1)));
        assert.equal(headers['content-range'], `bytes ${first}-${last}/3000`);
      }
      const beyond = await call(416, 'GET', file, { headers: { Range: 'bytes=3000-' } });
      assert.equal(beyond.headers['content-range'], 'bytes */3000');
    },
    'HEAD of a small and of a large file': async () => {
      for (const [path, { length }, type] of [
        [file, ROWS, 'text/csv'],
        ['/files/large.bin', LARGE, 'application/octet-stream'],
      ] as const) {
        const { headers } = await call(200, 'HEAD', path);
        assert.deepEqual([headers['content-length'], headers['accept-ranges']], [String(length), 'bytes']);
        assert.deepEqual([headers['content-type']?.split(';')[0], headers.etag?.[0]], [type, '"']);
      }
    },
    'GET of a large file': async () => {
      const { redirects, body } = await get('/files/large.bin');
      assert.deepEqual([redirects, body.equals(LARGE)], [[307], true]);
    },
    'a conditional and an asynchronous request': async () => {
      const customer = await made('/customers', { json: { name: 'Acme' } });
      const { etag = '' } = (await get(customer)).headers;
      const unchanged = await call(304, 'GET', customer, { headers: { 'If-None-Match': etag } });
      assert.equal(unchanged.body.length, 0);
      const replacement = { json: { name: 'New' }, headers: { 'If-Match': etag } };
      await call(200, 'PUT', customer, replacement);
      await call(412, 'PUT', customer, replacement);
      await call(412, 'PUT', file, { body: ROWS, headers: { 'If-None-Match': '*' } });
      const creation = { json: { name: 'Later' }, headers: ASYNC };
      const created = await ended(await call(202, 'POST', '/members', creation));
      assert.deepEqual([created.redirects, created.json().name], [[303], 'Later']);
      const removed = await ended(await call(202, 'DELETE', customer, { headers: ASYNC }));
      assert.deepEqual([removed.redirects, removed.json().status], [[], 'Succeeded']);
    },
  };
}
