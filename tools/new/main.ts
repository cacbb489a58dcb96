import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { registry } from '../../functions/registry.ts';
import { openApi } from '../../openapi/document.ts';
import { Obstacle } from '../obstacle.ts';
import { hasExamples, removeExamples } from './blank.ts';
import { filesOf } from './files.ts';
import { type Names, namesOf } from './names.ts';
import { withResource } from './registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const REGISTRY = join(ROOT, 'functions/registry.ts');

const USAGE = `npm run new -- NAME [--singular WORD]
npm run new -- --blank
  NAME             the plural, such as invoices: the folder in functions, the path and the table
  --singular WORD  the name of one item, if it is not the plural without its s
  --blank          removes the example resources and their tests: docs/own-service.md
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
  run('tools/generate/main.ts');
  // The cost model counts requests to the examples.
  if (hasExamples(ROOT)) run('tools/cost/measured/run.ts');
  console.log(`npm start serves /${plural}. Now declare its properties in functions/${plural}/fields.ts.`);
}

/** Removes the examples. The description and the tables without them are those that later changes may not break. */
function blank(): void {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0 || stdout !== '')
    throw new Obstacle(
      'This removes many files. First commit your changes, so that git can bring them back.',
    );
  for (const path of removeExamples(ROOT)) console.log(`removed ${path}`);
  run('tools/generate/main.ts');
  run('tools/generate/main.ts', '--release');
  console.log('The examples are gone. npm run new -- NAME adds your first resource.');
}

function run(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
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

/** @throws Obstacle if the name cannot be used */
function namesFor(plural: string, singular: string | undefined): Names {
  const names = namesOf(plural, singular, taken());
  if (typeof names === 'string') throw new Obstacle(names);
  return names;
}

/** `npm run new -- NAME` writes a resource that passes all checks. `--blank` removes the examples. */
function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' }, blank: { type: 'boolean' } },
  });
  const [plural, ...others] = positionals;
  if (values.blank && plural === undefined) blank();
  else if (plural === undefined || others.length > 0) throw new Obstacle(`Name one resource.\n${USAGE}`);
  else add(namesFor(plural, values.singular));
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
