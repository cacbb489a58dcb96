import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPython, pythonProgram } from '../../python.ts';
import type { Adapter, Kind, Sender, Values } from '../suite/adapter.ts';
import { call, copySetup, type Peer } from './peer.ts';

const collection = (kind: Kind) => `/v1/buckets/shop/collections/${kind}/records`;

const batch = (api: Sender, kind: Kind, method: string, all: readonly Values[]) => {
  const requests = all.map((data) => ({
    method,
    path: method === 'POST' ? collection(kind) : `${collection(kind)}/${data.id}`,
    body: { data },
  }));
  return api.ask('POST', '/v1/batch', { json: { requests } });
};

const adapter: Adapter = {
  collection,
  wrap: 'data',
  items: ({ data }) => data,
  partial: 'application/json',
  limit: (items) => `_limit=${items}`,
  sort: (name, descending) => `_sort=${descending ? '-' : ''}${name}`,
  equal: (name, value) =>
    `${name}=${encodeURIComponent(/^[\d.]+$/.test(value) ? value : JSON.stringify(value))}`,
  atLeast: (name, value) => `min_${name}=${value}`,
  below: (name, value) => `lt_${name}=${value}`,
  fields: (names) => `_fields=${names.join(',')}`,
  next: ({ headers }) => headers['next-page']?.replace(/^https?:\/\/[^/]+/, ''),
  total: {
    method: 'HEAD',
    query: '',
    of: ({ headers }) => headers['total-objects'] ?? headers['total-records'],
  },
  ordersOf: (customer) => `${collection('orders')}?customerId="${customer.split('/').at(-1)}"`,
  home: '/v1/buckets/shop/collections',
  description: '/v1/__api__',
  bulk: {
    create: (api, kind, values) => batch(api, kind, 'POST', values),
    update: (api, kind, values) => batch(api, kind, 'PUT', values),
    remove: (api, kind) => api.ask('DELETE', collection(kind)),
  },
};

const text = { type: 'string' };
const address = { type: 'object', properties: { street: text, city: text } };
/** JSON Schemas of the collections. */
const SCHEMAS: Readonly<Record<Kind, object>> = {
  members: {
    required: ['username'],
    properties: { username: text, name: text, email: text, age: { type: 'integer', minimum: 0 } },
  },
  customers: { required: ['name'], properties: { name: text, email: text, address } },
  orders: {
    required: ['productId'],
    properties: {
      productId: { type: 'integer' },
      quantity: { type: 'integer', minimum: 1 },
      orderValue: { type: 'number', minimum: 0 },
    },
  },
  products: {
    required: ['name'],
    properties: {
      name: text,
      category: text,
      price: { type: 'number', minimum: 0 },
      sku: { type: 'string', maxLength: 40 },
      tags: { type: 'array', items: text },
    },
  },
};

export const kinto: Peer = {
  name: 'Kinto',
  version: '26.5.0',
  about:
    'A bucket with a collection and a JSON Schema for each resource, on Waitress and PostgreSQL 16, with the settings of `kinto init`.',
  unequal:
    'Its PostgreSQL is a process of its own: the suite does not end it, and its memory does not count. Files need a plugin.',
  adapter,
  install: async (folder) => {
    copySetup('kinto', folder);
    await installPython(folder);
  },
  server: ({ folder, data, port }) => ({
    command: pythonProgram(folder, 'python'),
    args: [join(folder, 'start.py'), data, String(port)],
    cwd: folder,
    url: `http://127.0.0.1:${port}/v1/__lbheartbeat__`,
  }),
  prepare: async (url) => {
    const permissions = { write: ['system.Everyone'] };
    await call('PUT', `${url}/v1/buckets/shop`, { permissions });
    for (const [kind, schema] of Object.entries(SCHEMAS))
      await call('PUT', `${url}/v1/buckets/shop/collections/${kind}`, { data: { schema } });
  },
  end: (data) => {
    const [pid] = readFileSync(join(data, 'pg/postmaster.pid'), 'utf8').split('\n');
    // A fast end, without a wait for its clients.
    process.kill(Number(pid), 'SIGINT');
  },
};
