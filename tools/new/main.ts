import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Obstacle } from '../obstacle.ts';
import { hasExamples, removeExamples, removeMergedExamples } from './blank.ts';
import { filesOf } from './files.ts';
import { git, type Merge, mergeIn } from './merge.ts';
import { type Names, namesOf, type Taken } from './names.ts';
import { withResource } from './registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const REGISTRY = join(ROOT, 'functions/registry.ts');

const USAGE = `npm run new -- NAME [--singular WORD]
npm run new -- --blank
  NAME             the plural, such as invoices: the folder in functions, the path and the table
  --singular WORD  the name of one item, if it is not the plural without its s
  --blank          removes the example resources and their tests, also from a merge: docs/own-service.md
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
  if (hasExamples(ROOT)) run('lab/cost/measured/run.ts');
  console.log(`npm start serves /${plural}. Now declare its properties in functions/${plural}/fields.ts.`);
}

/** Removes the examples, and releases the description and tables without them. Later changes must not break these. */
function blank(): void {
  if (!hasExamples(ROOT))
    throw new Obstacle(
      'Examples are gone already. During a merge, this command removes what the merge brings of them.',
    );
  if (git(ROOT, 'status', '--porcelain') !== '')
    throw new Obstacle(
      'This removes many files. First commit your changes, so that git can bring them back.',
    );
  const removed = removeExamples(ROOT);
  for (const path of removed) console.log(`removed ${path}`);
  run('tools/generate/main.ts');
  run('tools/generate/main.ts', '--release');
  console.log('The examples are gone. npm run new -- NAME adds your first resource.');
}

/** Removes the files of removed examples that a merge brings back. Conflicts can remain, so this generates nothing. */
function blankMerge({ registry, paths }: Merge): void {
  const removed = removeMergedExamples(ROOT, registry, paths);
  for (const path of removed) console.log(`removed ${path}`);
  // A removed file with a conflict has none any more.
  if (removed.length > 0) git(ROOT, 'add', '-A', '--', ...removed);
  console.log('The merge brings no examples. Resolve the other conflicts, then run npm run generate.');
}

function run(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Obstacle(`${script} failed: see its message above.`);
}

/**
 * The names in use, which a new resource cannot have. The import of the registry is late, because a merge can leave
 * conflicts there.
 */
async function taken(): Promise<Taken> {
  const { registry } = await import('../../functions/registry.ts');
  const { openApi } = await import('../../openapi/document.ts');
  return {
    folders: readdirSync(join(ROOT, 'functions')),
    paths: registry.flatMap(({ routes }) => routes.map(({ path }) => path.split('/')[1] ?? '')),
    schemas: Object.keys(openApi(registry).components?.schemas ?? {}),
  };
}

/** @throws Obstacle if the name cannot be used */
async function namesFor(plural: string, singular: string | undefined): Promise<Names> {
  const names = namesOf(plural, singular, await taken());
  if (typeof names === 'string') throw new Obstacle(names);
  return names;
}

/**
 * `npm run new -- NAME` writes a resource that passes all checks. `--blank` removes the examples, also from a merge.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' }, blank: { type: 'boolean' } },
  });
  const [plural, ...others] = positionals;
  const merge = values.blank ? mergeIn(ROOT) : undefined;
  if (values.blank && plural === undefined) {
    if (merge) blankMerge(merge);
    else blank();
  } else if (plural === undefined || others.length > 0) throw new Obstacle(`Name one resource.\n${USAGE}`);
  else add(await namesFor(plural, values.singular));
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
