import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from '../suite/adapter.ts';
import { installNpm } from './install.ts';
import type { Peer } from './peer.ts';

const adapter: Adapter = {
  collection: (kind) => `/${kind}`,
  items: (document) => document,
  partial: 'application/json',
  limit: (items) => `_page=1&_limit=${items}`,
  sort: (name, descending) => `_sort=${name}&_order=${descending ? 'desc' : 'asc'}`,
  equal: (name, value) => `${name}=${encodeURIComponent(value)}`,
  atLeast: (name, value) => `${name}_gte=${value}`,
  expand: { query: '_expand=customer', inside: 'customer' },
  next: ({ headers }) =>
    /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, ''),
  total: { query: '', of: ({ headers }) => headers['x-total-count'] },
  ordersOf: (customer) => `${customer}/orders`,
};

export const jsonServer: Peer = {
  name: 'json-server',
  version: '0.17.4',
  about: '`json-server db.json`, as its README says. `db.json` has a list for each resource.',
  unequal: 'It is made for prototypes: it has no descriptions of resources, and no files.',
  adapter,
  install: async (folder) => installNpm(folder, { 'json-server': '0.17.4' }),
  server: ({ folder, data, port }) => {
    const file = join(data, 'db.json');
    const empty = { members: [], customers: [], orders: [], products: [] };
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(empty));
    const program = join(folder, 'node_modules/json-server/lib/cli/bin.js');
    return {
      command: process.execPath,
      args: [program, '--host', '127.0.0.1', '--port', String(port), '--quiet', file],
      cwd: data,
      url: `http://127.0.0.1:${port}/members`,
    };
  },
};
