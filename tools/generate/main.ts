import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registry } from '../../service/registry.ts';
import { wrongFacts } from '../../shared/resource/wrong-facts/resources.ts';
import { openApiSource, releasedSource } from './openapi.ts';
import { releasedStoredSource } from './stored.ts';

/**
 * Writes the API description. With `--check`, it lists the files that are out of date and exits with 1. `--release` also
 * writes what is released: the description, and what tables hold.
 */
const root = join(import.meta.dirname, '../..');
const check = process.argv.includes('--check');
const stale: string[] = [];

function generated(path: string, source: string): void {
  const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
  if (before === source) return;
  stale.push(path);
  if (!check) writeFileSync(join(root, path), source);
}

/** Ends with the sentences about wrong definitions. */
function refuse(sentences: readonly string[]): never {
  console.error(sentences.join('\n'));
  process.exit(1);
}

const wrong = wrongFacts(registry);
if (wrong.length > 0) refuse(wrong);
generated('docs/openapi.json', openApiSource(registry));
if (process.argv.includes('--release')) {
  generated('docs/openapi.released.json', releasedSource(registry));
  generated('docs/stored.released.json', releasedStoredSource(registry));
}

for (const path of stale)
  console.log(check ? `${path} is out of date: run npm run generate` : `wrote ${path}`);
if (check && stale.length > 0) process.exitCode = 1;
