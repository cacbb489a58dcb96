import { randomBytes } from 'node:crypto';
import type { Sent } from '../../events.ts';

/** A request to a function. `name` is its row in the table. */
export interface Named extends Sent {
  readonly name: string;
}

const FOUR_MEBIBYTES = 4 * 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const PACKED = { 'Accept-Encoding': 'br, gzip' };

/** A JSON array of members that has about a megabyte. */
function members(count: number): Uint8Array {
  const about = 'a'.repeat(Math.max(0, Math.floor(980_000 / count) - 40));
  return Buffer.from(JSON.stringify(Array.from({ length: count }, () => ({ name: 'Ada', about }))));
}

/** A form with a file in the parts of RFC 7578. */
const form = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="form.bin"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--b--\r\n'),
  ]);

/** The identifiers of a small member and a small order. */
export interface Known {
  readonly member: string;
  readonly order: string;
}

/** The requests of each measured function. The first one is small, and measures the cold start and warm calls. */
export function requestsOf({ member: id, order }: Known): Readonly<Record<string, readonly Named[]>> {
  const member = { template: '/members/{id}', parameters: { id } };
  const file = { template: '/files/{filename}', parameters: { filename: 'four.bin' } };
  const bytes = randomBytes(FOUR_MEBIBYTES);
  const binary = { 'Content-Type': 'application/octet-stream' };
  return {
    members: [
      { name: 'GET item', ...member },
      { name: 'GET list of 25', template: '/members', query: { limit: ['25'] }, headers: PACKED },
      { name: 'GET list of 1,000', template: '/members', query: { limit: ['1000'] }, headers: PACKED },
      {
        name: 'POST of 100 items, 1 MB',
        method: 'POST',
        template: '/members',
        headers: JSON_TYPE,
        body: members(100),
      },
      {
        name: 'POST of 10,000 items, 1 MB: 202',
        method: 'POST',
        template: '/members',
        headers: JSON_TYPE,
        body: members(10_000),
      },
      {
        name: 'PUT photo of 4 MiB',
        method: 'PUT',
        ...member,
        query: { fields: ['photo'] },
        headers: { 'Content-Type': 'image/png' },
        body: bytes,
      },
      { name: 'GET photo of 4 MiB', ...member, query: { fields: ['photo'] }, headers: { Accept: '*/*' } },
      {
        name: 'GET list that sorts 18 MB by reading',
        template: '/members',
        query: { limit: ['25'], sort: ['updatedAt'] },
      },
    ],
    orders: [
      { name: 'GET item', template: '/orders/{id}', parameters: { id: order } },
      {
        name: 'GET list of 100 with 100 customers and 100 products of 240 KB',
        template: '/orders',
        query: { limit: ['100'], expand: ['customer,products'] },
        headers: PACKED,
      },
    ],
    files: [
      { name: 'GET list of 25', template: '/files', query: { limit: ['25'] }, headers: PACKED },
      { name: 'PUT file of 4 MiB', method: 'PUT', ...file, headers: binary, body: bytes },
      { name: 'GET file of 4 MiB', ...file },
      {
        name: 'POST of a form with 4 MiB',
        method: 'POST',
        template: '/files',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: form(bytes),
      },
    ],
    site: [
      { name: 'GET docs.html', template: '/docs' },
      { name: 'GET /openapi.json', template: '/openapi.json', headers: PACKED },
      {
        name: 'GET of a script of 1.5 MB',
        template: '/assets/{name}',
        parameters: { name: 'swagger-ui-bundle.js' },
        headers: PACKED,
      },
    ],
    operations: [{ name: 'GET list of 25', template: '/operations', query: { limit: ['25'] } }],
    root: [
      { name: 'GET /health', template: '/health' },
      { name: 'GET /', template: '/', headers: { Accept: 'text/html', ...PACKED } },
    ],
    add: [{ name: 'GET /add', template: '/add', query: { operand1: ['1'], operand2: ['2'] } }],
  };
}
