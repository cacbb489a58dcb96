import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { registry } from '../../functions/registry.ts';
import { openApi } from '../../openapi/document.ts';
import { Obstacle } from '../obstacle.ts';
import { filesOf } from './files.ts';
import { type Names, namesOf } from './names.ts';
import { withResource } from './registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const REGISTRY = join(ROOT, 'functions/registry.ts');

const USAGE = `npm run new -- NAME [--singular WORD]
  NAME             the plural, such as invoices: the folder in functions, the path and the table
  --singular WORD  the name of one item, if it is not the plural without its s
docs/resources.md shows what to change in the written files.`;

/** Writes the files of a resource and its lines in the registry, and then everything that follows from these. */
function add({ plural, singular }: Names): void {
  const folder = join(ROOT, 'functions', plural);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(filesOf({ plural, singular }))) {
    writeFileSync(join(folder, name), text);
    console.log(`wrote functions/${plural}/${name}`);
  }
  writeFileSync(REGISTRY, withResource(readFileSync(REGISTRY, 'utf8'), plural));
  console.log('wrote functions/registry.ts');
  for (const script of ['tools/generate/main.ts', 'tools/cost/measured/run.ts']) run(script);
  console.log(`npm start serves /${plural}. Now declare its properties in functions/${plural}/fields.ts.`);
}

function run(script: string): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, script)], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Obstacle(`${script} failed: see its message above.`);
}

/** What the service has: a new resource must not take its names. */
const taken = () => ({
  folders: readdirSync(join(ROOT, 'functions')),
  paths: registry.flatMap(({ routes }) => routes.map(({ path }) => path.split('/')[1] ?? '')),
  schemas: Object.keys(openApi(registry).components?.schemas ?? {}),
});

/** `npm run new -- NAME` writes a resource that passes all checks. */
function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' } },
  });
  const [plural, ...others] = positionals;
  if (plural === undefined || others.length > 0) throw new Obstacle(`Name one resource.\n${USAGE}`);
  const names = namesOf(plural, values.singular, taken());
  if (typeof names === 'string') throw new Obstacle(names);
  add(names);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
