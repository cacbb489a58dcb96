import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { succeed } from '../../program.ts';
import { type Adapter, plain } from '../suite/adapter.ts';
import { copySetup, type Peer } from './peer.ts';

const object = (value: unknown): Readonly<Record<string, unknown>> => ({ ...Object(value) });

const adapter: Adapter = {
  collection: plain.collection,
  items: ({ _embedded }, kind) => object(_embedded)[kind],
  limit: (items) => `size=${items}`,
  sort: (name, descending) => `sort=${name},${descending ? 'desc' : 'asc'}`,
  equal: (name, value) => `${name}=${encodeURIComponent(value)}`,
  next: (page) => {
    const { href } = object(object(page.json()._links).next);
    return typeof href === 'string' ? href.replace(/^https?:\/\/[^/]+/, '') : undefined;
  },
  total: { query: '', of: (answer) => object(answer.json().page).totalElements },
  description: '/v3/api-docs',
  ordersOf: (customer) => `/orders?customerId=${customer.split('/').at(-1)}`,
};

const jar = (folder: string) => join(folder, 'target/compare-1.jar');

export const spring: Peer = {
  name: 'Spring Data REST',
  version: '4.5.5 (Spring Boot 3.5.7)',
  about:
    'Entities with `@Version` and `@LastModifiedDate`, repositories with Querydsl filters, validators, CORS and springdoc, on JPA with H2 in a file.',
  unequal: 'It has no files of its own: Spring Content is another project.',
  adapter,
  install: async (folder) => {
    if (existsSync(jar(folder))) return;
    copySetup('spring', folder);
    await succeed('mvn', ['-q', '-B', 'package'], 'Maven could not build it', { cwd: folder });
  },
  server: ({ folder, data, port }) => ({
    command: 'java',
    args: ['-jar', jar(folder), `--server.port=${port}`],
    cwd: data,
    env: { ...process.env, DATA: data },
    url: `http://127.0.0.1:${port}/members`,
  }),
};
