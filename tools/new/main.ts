import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApi } from '../../openapi/document.ts';
import { PACKAGE, SERVICE } from '../../service/folders.ts';
import { registry } from '../../service/registry.ts';
import { UserError } from '../user-error.ts';
import { definitionOf, namesOf, type Taken, testOf } from './names.ts';

const USAGE = `new NAME [--singular WORD]
  NAME             the plural, such as invoices: the file in functions, the path and the table
  --singular WORD  the name of one item, if it is not the plural without its s
docs/resources.md shows what to change in the written file.`;

/** Returns the names in use, which a new resource cannot have. */
const taken = (): Taken => ({
  files: [SERVICE, PACKAGE]
    .flatMap((folder) => readdirSync(join(folder, 'functions')))
    .map((name) => name.replace(/\.ts$/, '')),
  paths: registry.flatMap(({ routes }) => routes.map(({ path }) => path.split('/')[1] ?? '')),
  schemas: Object.keys(openApi(registry).components.schemas ?? {}),
});

/** `npm run new -- NAME` writes a resource that passes all checks. */
function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' } },
  });
  const [plural, ...others] = positionals;
  if (plural === undefined || others.length > 0) throw new UserError(`Name one resource.\n${USAGE}`);
  if (!existsSync(join(SERVICE, 'functions'))) throw new UserError('There is no folder functions here.');
  const names = namesOf(plural, values.singular, taken());
  if (typeof names === 'string') throw new UserError(names);
  const name = `functions/${names.plural}.ts`;
  writeFileSync(join(SERVICE, name), definitionOf(names));
  console.log(`wrote ${name}`);
  const example = `test/${names.plural}.test.ts`;
  // This repository has tests of other kinds.
  if (SERVICE !== PACKAGE && existsSync(join(SERVICE, 'test')) && !existsSync(join(SERVICE, example))) {
    writeFileSync(join(SERVICE, example), testOf(names));
    console.log(`wrote ${example}`);
  }
  console.log(`npm start serves /${names.plural}. Now declare its fields in ${name}.`);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
