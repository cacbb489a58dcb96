import { parseArgs } from 'node:util';
import { packageIn } from '../../tools/packages.ts';
import { type Named, namesOf, runParts } from '../parts.ts';
import { installPython } from '../python.ts';
import type { Part } from './part.ts';
import { startService } from './service.ts';
import { find, packageOf } from './tools.ts';

/**
 * `npm run conformance [-- --all] [PART…]` runs third-party suites against the service. Each part gets a service with
 * new data. If the machine lacks a program, its part is skipped; with --all, it fails. `--missing` runs nothing and
 * prints the missing Debian packages.
 */
const PARTS = [
  'browser',
  'ranges',
  'httplint',
  'fields',
  'varnish',
  'openapi',
  'collections',
  'schemathesis',
  'walks',
  'clients',
  'webhooks',
  'memento',
  'mcp',
  'examples',
];

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, missing: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = namesOf(positionals, PARTS);
packageIn(import.meta.dirname);
const parts = await Promise.all(
  chosen.map(async (name) => {
    const { part } = (await import(`./parts/${name}.ts`)) as { part: Part };
    return { name, part, missing: part.needs.filter((tool) => find(tool) === undefined) };
  }),
);
if (values.missing)
  console.log([...new Set(parts.flatMap(({ missing }) => missing.map(packageOf)))].join(' '));
else
  await runParts(
    parts.map(({ name, part, missing }): Named => {
      const needs = `needs ${missing.join(', ')} (apt-get install ${missing.map(packageOf).join(' ')})`;
      return {
        name,
        about: part.about,
        skipped: missing.length > 0 && !values.all ? needs : undefined,
        run: async (check) => {
          if (missing.length > 0) throw new Error(needs);
          if (part.needs.includes('python3')) await installPython(import.meta.dirname);
          const service = await startService();
          try {
            await part.run({ service, check });
          } finally {
            await service.stop();
          }
        },
      };
    }),
  );
