import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisesSource } from '../../infra/stored.ts';
import { SERVICE } from '../../service/folders.ts';
import { registry } from '../../service/registry.ts';
import { releasedSource } from '../generate/openapi.ts';

/**
 * `npx resource-api release` records the description and the tables that clients and items depend on from now on.
 * `check` compares later definitions with both.
 */
const RECORDS = {
  'docs/openapi.released.json': releasedSource(registry),
  'docs/stored.released.json': promisesSource(registry),
};
mkdirSync(join(SERVICE, 'docs'), { recursive: true });
for (const [path, text] of Object.entries(RECORDS)) {
  writeFileSync(join(SERVICE, path), text);
  console.log(`wrote ${path}`);
}
