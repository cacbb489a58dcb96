/** Lists a request for each kind of response that httplint checks. */

import { setTimeout } from 'node:timers/promises';
import type { SuiteService } from '../service.ts';

/** A request and the expected status of its response. */
export interface Sample {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const MIB = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BROWSER = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' };

/** A request for each kind of response, in this order. */
export async function samples({ client, create, storeLarge }: SuiteService): Promise<Sample[]> {
  const member = await create('/members', { name: 'Ada' });
  const gone = await create('/members', { name: 'Gone' });
  const customer = await create('/customers', { name: 'Acme' });
  const order = await create(`${customer}/orders`, { productId: 1 });
  const file = '/files/text.txt';
  await client('PUT', file, { body: '0123456789', headers: { 'Content-Type': 'text/plain' } });
  await storeLarge('large.bin', Buffer.alloc(5 * MIB));
  // A response has the date of a change when its second is over.
  await setTimeout(1100);
  const { etag = '', 'last-modified': modified = '' } = (await client('GET', member)).headers;
  const { etag: fileTag = '' } = (await client('GET', file)).headers;

  const plain = (status: number, method: string, path: string, headers = {}): Sample => ({
    status,
    method,
    path,
    headers,
  });
  const get = (status: number, path: string, headers = {}) => plain(status, 'GET', path, headers);
  const write = (
    status: number,
    method: string,
    path: string,
    body: string | Buffer,
    headers: Sample['headers'] = JSON_TYPE,
  ) => ({ status, method, path, headers, body });
  const patch = { 'Content-Type': 'application/merge-patch+json' };
  const keyed = { ...JSON_TYPE, 'Idempotency-Key': 'sample' };

  return [
    ...['/', '/health', '/problems/not-found', '/members', member, order, '/products/1'].flatMap((path) =>
      ['application/json', 'application/xml', 'text/html'].map((Accept) => get(200, path, { Accept })),
    ),
    ...['application/json', 'application/xml', 'text/plain'].map((Accept) =>
      get(200, '/add?operand1=1&operand2=2.5', { Accept }),
    ),
    get(200, '/members?limit=1&fields=name', { Prefer: 'count=exact' }),
    get(200, `${order}/customer`),
    get(200, '/products/1?fields=productImage'),
    get(200, file),
    get(200, '/files/text.txt', { 'Want-Repr-Digest': 'sha-256=1' }),
    get(200, '/members/new', { Accept: 'text/html' }),
    get(200, `${member}/delete`, { Accept: 'text/html' }),
    ...['/members', file, '/members/new', '/members/1', '/files/large.bin'].map((path) =>
      plain(path === '/members/1' ? 404 : 200, 'HEAD', path),
    ),
    ...['/members', member, file, '/add'].map((path) => plain(204, 'OPTIONS', path)),
    plain(204, 'OPTIONS', '/members', {
      Origin: 'https://app.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    }),
    write(201, 'POST', '/members', '{"name":"x"}'),
    write(201, 'POST', '/members', '{"name":"x"}', { ...JSON_TYPE, Prefer: 'return=minimal' }),
    write(201, 'POST', '/members', '{"name":"x"}', { ...JSON_TYPE, Accept: 'application/xml' }),
    write(201, 'PUT', '/files/new.txt', 'x', { 'Content-Type': 'text/plain' }),
    write(200, 'PUT', '/files/new.txt', 'y', { 'Content-Type': 'text/plain' }),
    write(207, 'POST', '/files', multipart('new.txt', 'other.txt'), {
      'Content-Type': 'multipart/form-data; boundary=b',
      Prefer: 'handling=lenient',
    }),
    write(201, 'POST', '/members', '{"name":"x"}', keyed),
    write(201, 'POST', '/members', '{"name":"x"}', keyed),
    write(422, 'POST', '/members', '{"name":"y"}', keyed),
    write(200, 'PATCH', member, '{"name":"Ada"}', patch),
    write(204, 'PATCH', member, '{"name":"Ada"}', { ...patch, Prefer: 'return=minimal' }),
    write(303, 'POST', '/members/new', 'name=x', { ...FORM, ...BROWSER }),
    plain(204, 'DELETE', gone),
    get(206, file, { Range: 'bytes=2-4' }),
    get(206, file, { Range: 'bytes=0-1,5-' }),
    get(304, member, { 'If-None-Match': etag }),
    get(304, member, { 'If-Modified-Since': modified }),
    get(304, file, { 'If-None-Match': fileTag }),
    get(307, '/files/large.bin'),
    get(308, '/members/'),
    ...['application/json', 'application/xml', 'text/html'].flatMap((Accept) => [
      get(400, '/members?limit=-1', { Accept }),
      get(404, '/members/1', { Accept }),
      plain(405, 'POST', order, { Accept }),
      get(200, '/operations', { Accept }),
      write(202, 'POST', '/members', '{"name":"x"}', {
        ...JSON_TYPE,
        Accept,
        Prefer: 'respond-async',
      }),
    ]),
    get(404, '/nothing'),
    write(400, 'POST', '/members', '{"name":'),
    write(400, 'POST', '/members/new', 'age=old', { ...FORM, ...BROWSER }),
    write(403, 'POST', '/members', 'name=x', { ...FORM, Origin: 'https://elsewhere.example' }),
    get(406, '/members', { Accept: 'image/png' }),
    get(406, '/members/new', { Accept: 'text/csv' }),
    write(409, 'PATCH', member, '{"id":1}', patch),
    write(412, 'PATCH', member, '{"name":"x"}', { ...patch, 'If-Match': '"other"' }),
    write(413, 'PUT', '/files/large.bin', Buffer.alloc(5 * MIB)),
    get(414, `/members?x=${'x'.repeat(12_000)}`),
    write(415, 'POST', '/members', 'x', { 'Content-Type': 'text/calendar' }),
    write(415, 'PATCH', member, 'x', { 'Content-Type': 'text/calendar' }),
    get(416, file, { Range: 'bytes=10-' }),
    plain(501, 'BREW', '/members'),
  ];
}

const multipart = (...names: readonly string[]): string =>
  `${names
    .map(
      (name) =>
        `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\nx\r\n`,
    )
    .join('')}--b--\r\n`;
