import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SERVICE } from '../../service/folders.ts';
import { registry } from '../../service/registry.ts';
import { typesOf } from './client-types.ts';

/**
 * `npx resource-api types [FILE]` writes the types of this service for `resource-api-client`. A front end needs this file,
 * and neither the service nor its package.
 */
const [path = 'types.d.ts'] = process.argv.slice(2);
writeFileSync(resolve(SERVICE, path), typesOf(registry));
console.log(`wrote ${path}`);
