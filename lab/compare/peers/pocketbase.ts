import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { succeed } from '../../program.ts';
import type { Adapter, Kind, Sender, Values } from '../suite/adapter.ts';
import { call, copySetup, fileForm, type Peer } from './peer.ts';

const VERSION = '0.39.9';
const USER = { identity: 'admin@example.org', password: 'for-the-comparison' };
const collection = (kind: Kind | 'files') => `/api/collections/${kind}/records`;

const quoted = (value: string) => (/^[\d.]+$/.test(value) ? value : `'${value.replaceAll("'", "\\'")}'`);
const filter = (text: string) => `filter=${encodeURIComponent(`(${text})`)}`;

const batch = (api: Sender, kind: Kind, method: string, all: readonly Values[]) => {
  const requests = all.map((body) => ({
    method,
    url: method === 'POST' ? collection(kind) : `${collection(kind)}/${body.id}`,
    body,
  }));
  return api.ask('POST', '/api/batch', { json: { requests } });
};

const adapter: Adapter = {
  collection,
  items: ({ items }) => items,
  partial: 'application/json',
  limit: (items) => `perPage=${items}`,
  sort: (name, descending) => `sort=${descending ? '-' : ''}${name}`,
  equal: (name, value) => filter(`${name} = ${quoted(value)}`),
  atLeast: (name, value) => filter(`${name} >= ${value}`),
  below: (name, value) => filter(`${name} < ${value}`),
  joined: (query) => {
    const filters = [...query.matchAll(/(?:^|&)filter=([^&]*)/g)].map(([, text]) => text);
    const others = query.replace(/(?:^|&)filter=[^&]*/g, '');
    return filters.length > 0 ? `filter=${filters.join('%26%26')}${others}` : query;
  },
  fields: (names) => `fields=${names.join(',')}`,
  expand: { query: 'expand=customerId', inside: 'expand' },
  next: (answer, query) => {
    const { page, totalPages } = answer.json();
    const next = Number(page) + 1;
    const rest = query.replace(/&?\bpage=\d+/, '');
    return next <= Number(totalPages) ? `${collection('products')}?${rest}&page=${next}` : undefined;
  },
  total: { query: '', of: (page) => page.json().totalItems },
  ordersOf: (customer) => `${collection('orders')}?${filter(`customerId = '${customer.split('/').at(-1)}'`)}`,
  files: {
    store: async (api, name, bytes, type) => {
      const { id, file } = (await api.send('POST', collection('files'), fileForm(name, bytes, type))).json();
      return `/api/files/files/${id}/${file}`;
    },
    list: collection('files'),
  },
  bulk: {
    create: (api, kind, values) => batch(api, kind, 'POST', values),
    update: (api, kind, values) => batch(api, kind, 'PATCH', values),
  },
};

const text = (name: string, more = {}) => ({ name, type: 'text', max: 1_000_000, ...more });
const number = (name: string, more = {}) => ({ name, type: 'number', min: 0, ...more });
const whole = { onlyInt: true };
/** The fields of each collection. */
const FIELDS = {
  members: [
    text('username', { required: true }),
    text('name'),
    { name: 'email', type: 'email' },
    number('age', whole),
  ],
  customers: [
    text('name', { required: true }),
    { name: 'email', type: 'email' },
    { name: 'address', type: 'json' },
  ],
  orders: [
    number('productId', { ...whole, required: true }),
    number('quantity', { ...whole, min: 1 }),
    number('orderValue'),
  ],
  products: [
    text('name', { required: true }),
    text('category'),
    number('price'),
    text('sku', { max: 40 }),
    { name: 'tags', type: 'json' },
  ],
  files: [{ name: 'file', type: 'file', maxSelect: 1, maxSize: 10_000_000 }],
} as const;
const TIMES = [
  { name: 'created', type: 'autodate', onCreate: true },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
];
const OPEN = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
const UNIQUE = ["CREATE UNIQUE INDEX idx_sku ON products (sku) WHERE sku != ''"];

const programIn = (folder: string): string => join(folder, 'pocketbase');

export const pocketbase: Peer = {
  name: 'PocketBase',
  version: VERSION,
  about:
    'A Go program of five lines, with collections that its API creates. Their rules let everybody do everything, and the batch API is on.',
  unequal: 'A client chooses a record of the collection `files` for its bytes, and not the URI.',
  adapter,
  install: async (folder) => {
    if (existsSync(programIn(folder))) return;
    copySetup('pocketbase', folder);
    const go = (...args: readonly string[]) =>
      succeed('go', args, 'Go could not build it', {
        cwd: folder,
        env: { ...process.env, CGO_ENABLED: '0' },
      });
    await go('mod', 'init', 'compare');
    await go('get', `github.com/pocketbase/pocketbase@v${VERSION}`);
    await go('mod', 'tidy');
    await go('build', '-o', programIn(folder), '.');
  },
  server: ({ folder, data, port }) => {
    const dir = ['--dir', join(data, 'pb_data')];
    if (!existsSync(join(data, 'pb_data')))
      execFileSync(programIn(folder), ['superuser', 'upsert', USER.identity, USER.password, ...dir], {
        stdio: 'ignore',
      });
    return {
      command: programIn(folder),
      args: ['serve', '--http', `127.0.0.1:${port}`, ...dir],
      cwd: folder,
      url: `http://127.0.0.1:${port}/api/health`,
    };
  },
  prepare: async (url) => {
    const signIn = `${url}/api/collections/_superusers/auth-with-password`;
    const headers = { Authorization: (await call('POST', signIn, USER)).token };
    let customers = '';
    for (const [name, fields] of Object.entries(FIELDS)) {
      const customerId = { name: 'customerId', type: 'relation', collectionId: customers, maxSelect: 1 };
      const all = [...fields, ...TIMES, ...(name === 'orders' ? [customerId] : [])];
      const indexes = name === 'products' ? UNIQUE : [];
      const json = { name, type: 'base', fields: all, indexes, ...OPEN };
      const { id } = await call('POST', `${url}/api/collections`, json, headers);
      if (name === 'customers') customers = id;
    }
    const limits = { enabled: true, maxRequests: 200, timeout: 10 };
    await call('PATCH', `${url}/api/settings`, { batch: limits }, headers);
  },
};
