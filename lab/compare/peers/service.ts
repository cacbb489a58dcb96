import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plain } from '../suite/adapter.ts';
import type { Peer } from './peer.ts';

const ROOT = join(import.meta.dirname, '../../..');
const { scripts, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The options of Node in the script `start`. */
const options: string[] = scripts.start.split(' ').slice(1, -1);

export const service: Peer = {
  name: 'resource-api',
  version,
  about: '`npm start -- --empty`: the functions behind a local gateway, on embedded engines (docs/start.md).',
  unequal: 'It runs on its embedded engines. On AWS, the network to DynamoDB decides its times.',
  adapter: plain,
  install: async () => {},
  server: ({ data, port }) => ({
    command: process.execPath,
    args: [...options, join(ROOT, 'local/start.mjs'), '--empty'],
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: data, ENGINE_PORT: '0' },
    url: `http://127.0.0.1:${port}/health`,
  }),
};
