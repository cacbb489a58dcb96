import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApi } from './document.ts';
import { breaks } from './evolution/breaks.ts';

/**
 * `node openapi/compare.ts` lists the breaking changes since the released description, and exits with 1 if there are
 * any. At a release, `npm run generate -- --release` writes `docs/openapi.released.json`.
 */
const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')) as OpenApi;

const found = breaks(read('openapi.released.json'), read('openapi.json'));
for (const text of found) console.error(text);
process.exitCode = found.length === 0 ? 0 : 1;
