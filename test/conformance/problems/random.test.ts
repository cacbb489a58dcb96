import { beforeAll, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { create, send, underTest } from '../../support/service/under-test.ts';

underTest();

const PATHS = [
  '/',
  '/health',
  '/members',
  '/customers',
  '/orders',
  '/products',
  '/files',
  '/files/random',
  '/add',
  '/problems/conflict',
  '/members/1',
  '/customers/1/orders',
  '/customers/1/orders/2',
  '/members/9007199254740992',
  '/nothing',
  '/members/new',
  '/orders/new',
  '/members/1/edit',
  '/files/random/delete',
  '/operations',
];
const QUERIES = [
  'limit=1',
  'limit=0',
  'limit=-1',
  'offset=1',
  'offset=99999999999',
  'sort=name',
  'sort=-price',
  'sort=',
  'fields=name',
  'fields=productImage',
  'fields=',
  'fields=id,links',
  'after=abc',
  'minCost=5',
  'minCost=1e5000',
  'operand1=1',
  'operand2=1e30',
  '_method=PUT',
  'x=1',
  '%00=1',
  'a[b]=c',
  'limit=%F0%9F',
];
const TYPES = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'image/png',
  'text/plain',
  '*/*',
  'application/json; charset=utf-16',
  '',
  'application/json, text/html',
  'a/b',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
];
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"name":"x"}',
  '{"name":null}',
  '{"age":1e400}',
  '{"age":123456789012345678901234567890}',
  '{"price":-0}',
  '{"productId":1}',
  '{"productId":1,"quantity":1e300}',
  '{"productId":1e2,"orderValue":0.00}',
  '[{"op":"add","path":"/x","value":1}]',
  '[{"op":"test","path":"","value":{}}]',
  '[{"op":"move","from":"","path":"/a"}]',
  '[{"op":"copy","from":"","path":"/a"}]',
  '[{"op":"remove","path":""}]',
  '[{"op":"add","path":"/age","value":1e400}]',
  '{"id":null}',
  '{"id":1e400}',
  '{"links":null,"name":"q"}',
  '{"customerId":1e400,"productId":1,"orderValue":1}',
  '{"orderValue":null}',
  '{"":1}',
  '{"name":"\\u0000"}',
  '<a',
  '{"items":[]}',
  '{"open":{"a":[{"b":null}]}}',
  '\u00ff',
  'name=a&age=5&:idempotency-key=k',
  'name=&age=x&name=b',
  '&&=&%zz',
  '__proto__=1&constructor=2',
  'productId=1&orderValue=1e400',
  '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--b--\r\n',
  '--b\r\nContent-Disposition: form-data; name="f"; filename="random"\r\n\r\na\r\n--b--\r\n',
  '--b\r\nContent-Disposition: form-data; name="f"; filename="../x"\r\n\r\na\r\n--b',
  '--b--',
  '[{"filename":"random","content":"YQ=="}]',
  '[{"filename":"random","content":"*"},{"filename":"random"}]',
  '<member><name>a</name></member>',
];
const FIELDS: [string, string[]][] = [
  ['If-Match', ['*', '"1.1-json"', '"x"', 'W/"1.1-json"', 'x', '']],
  ['If-None-Match', ['*', '"1.1-json"', 'x']],
  ['If-Modified-Since', ['x', 'Sun, 06 Nov 2094 08:49:37 GMT']],
  ['If-Unmodified-Since', ['x', 'Sun, 06 Nov 1994 08:49:37 GMT']],
  ['If-Range', ['"x"', 'x']],
  ['Range', ['bytes=0-0', 'bytes=-1', 'bytes=5-', 'bytes=0-0,2-2', 'bytes=a', 'lines=1-2']],
  ['Accept', ['*/*', 'application/json', 'text/plain', 'image/*', 'x', ';q=', 'application/json;q=0,*/*']],
  ['Content-Range', ['bytes 0-1/2']],
  ['Content-Encoding', ['identity', 'gzip']],
  ['Origin', ['null']],
  ['Cookie', ['a']],
  ['Accept', ['text/html', 'text/html,*/*;q=0.8', 'application/xml', 'application/json;version=2']],
  ['Idempotency-Key', ['k', '"k"', '', '"', 'a b']],
  ['Prefer', ['return=minimal', 'handling=strict', 'count=exact', 'return="', 'wait=x, , =']],
  ['Sec-Fetch-Site', ['cross-site', 'same-origin', 'x']],
  ['Content-Digest', ['sha-256=:AAAA:', 'x', 'sha-256=::']],
];
const METHODS = ['GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS'];

const paths = [...PATHS];
beforeAll(async () => {
  const customer = await create('/customers', { name: 'n' });
  const order = await create(`${customer.path}/orders`, { productId: 1, orderValue: 5 });
  const product = await create('/products', { name: 'n', price: 1.5 });
  const member = await create('/members', { name: 'n', age: 1, open: { a: [1] } });
  const below = ['', '/customer', '/products'].map((path) => `${order.path}${path}`);
  paths.push(customer.path, `${customer.path}/orders`, ...below, product.path, member.path, member.path);
  paths.push(`${product.path}?fields=productImage`, `${member.path}/edit`, `${product.path}/edit`);
  paths.push(...['edit', 'pay', 'place', 'cancel'].map((control) => `${order.path}/${control}`));
});

/** Requirements that no response may break, whatever the request. */
function fault(method: string, { status, headers, bytes, json }: Answer): string | undefined {
  if (status >= 500 && status !== 501) return 'a failure of the service';
  if ((method === 'HEAD' || status === 204 || status === 304) && bytes.length > 0) return 'a body';
  if (status === 405 && headers.allow === undefined) return '405 without Allow';
  if (status === 201 && headers.location === undefined) return '201 without Location';
  if (status === 416 && headers['content-range'] === undefined) return '416 without Content-Range';
  if (status < 400) return undefined;
  if (!/^(?:application\/problem\+(?:json|xml)|text\/html)/.test(headers['content-type'] ?? ''))
    return 'an error that is not a problem';
  if (method === 'HEAD' || !/json/.test(headers['content-type'] ?? '')) return undefined;
  return Number(json().status) === status ? undefined : 'a problem of another status';
}

test.each([1, 2, 3, 4])(
  '1,000 random requests with seed %i all get valid HTTP responses',
  async (seed) => {
    const random = randomNumbers(seed);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const wrong: string[] = [];
    for (let at = 0; at < 1000; at += 1) {
      let path = pick(paths);
      for (let more = random() < 0.6 ? 0 : 2; more > 0 && random() < 0.7; more -= 1) {
        path += `${path.includes('?') ? '&' : '?'}${pick(QUERIES)}`;
      }
      const method = pick(METHODS);
      // Keep the items that the other requests need for a while.
      if (method === 'DELETE' && !path.includes('files') && random() < 0.95) continue;
      const headers: Record<string, string> = {};
      for (let more = random() * 4 - 1; more > 0; more -= 1) {
        const [name, values] = pick(FIELDS);
        headers[name] = pick(values);
      }
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? pick(BODIES) : undefined;
      if (body !== undefined && random() < 0.95) {
        const fitting = method !== 'PATCH' ? TYPES[0] : body.startsWith('[') ? TYPES[2] : TYPES[1];
        headers['Content-Type'] = random() < 0.6 ? (fitting as string) : pick(TYPES);
      }
      const answer = await send(method, path, { headers, ...(body === undefined ? {} : { body }) });
      const found = fault(method, answer);
      if (found)
        wrong.push(
          `${found}: ${answer.status} to ${method} ${path} ${JSON.stringify(headers)} ${body ?? ''}`,
        );
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  },
  60_000,
);
