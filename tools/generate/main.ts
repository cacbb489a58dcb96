import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../../service/faults.ts';
import { registry } from '../../service/registry.ts';
import { openApiSource } from './openapi.ts';

/** Writes the API description. With `--check`, it compares the description, and exits with 1 if it is out of date. */
const PATH = 'docs/openapi.json';
const file = join(import.meta.dirname, '../..', PATH);

const wrong = faults();
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
const source = openApiSource(registry);
if (!existsSync(file) || readFileSync(file, 'utf8') !== source) {
  if (process.argv.includes('--check')) {
    console.log(`${PATH} is out of date: run npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, source);
    console.log(`wrote ${PATH}`);
  }
}
