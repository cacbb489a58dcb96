import { join } from 'node:path';
import { type Adapter, plain } from '../suite/adapter.ts';
import { installNpm } from './install.ts';
import { copySetup, type Peer } from './peer.ts';

const ROOT = join(import.meta.dirname, '../../..');

const adapter: Adapter = {
  collection: plain.collection,
  items: ({ items }) => items,
  partial: 'application/json',
  limit: (items) => `limit=${items}`,
  next: (page, query) => {
    const { next } = page.json();
    return typeof next === 'string'
      ? `/products?${query.replace(/&?after=.*/, '')}&after=${next}`
      : undefined;
  },
};

export const starter: Peer = {
  name: 'Hono with Powertools',
  version: '4.13.19 with 2.36.0',
  about:
    'A starter of about 90 lines: Hono’s `handle` for Lambda with its middleware for entity tags, CORS and secure headers, zod, Powertools’ logger and idempotency, and DynamoDB’s document client.',
  unequal:
    'A starter has what a team writes. This one has neither files nor filters. It runs on the embedded DynamoDB.',
  adapter,
  install: async (folder) => {
    copySetup('starter', folder);
    await installNpm(folder, {
      '@aws-lambda-powertools/idempotency': '2.35.0',
      '@aws-lambda-powertools/jmespath': '2.36.0',
      '@aws-lambda-powertools/logger': '2.36.0',
      '@aws-sdk/client-dynamodb': '3.1133.0',
      '@aws-sdk/lib-dynamodb': '3.1133.0',
      '@hono/zod-validator': '0.9.1',
      hono: '4.13.19',
      zod: '4.6.7',
    });
  },
  server: ({ folder, data, port }) => ({
    command: process.execPath,
    args: [join(folder, 'server.mjs'), ROOT, data, String(port)],
    cwd: folder,
    url: `http://127.0.0.1:${port}/members`,
  }),
};
