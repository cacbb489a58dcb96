import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApi } from '../../../openapi/document.ts';
import { partsOf } from '../../../openapi/part.ts';
import { registry } from '../../../service/registry.ts';
import { registry as ofPackage } from '../../../test/fixtures/described/registry.ts';
import { command } from '../../../test/support/service/command.ts';
import { packageIn } from '../../../tools/packages.ts';
import type { Given, Part } from '../part.ts';

const SUITES = join(import.meta.dirname, '..');
const DOCUMENT = join(SUITES, '../../docs/openapi.json');
const WORKFLOW = join(SUITES, '../../examples/tour.arazzo.yaml');
const RULES = join(SUITES, 'spectral.yaml');
const CONFIG = join(SUITES, 'redocly.yaml');

/** How well programs can use the description, of 100. */
const LEAST_SCORE = 90;

/** The linters and their arguments. */
const LINTERS: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  ['Redocly: recommended', 'redocly', ['lint', DOCUMENT, '--config', CONFIG]],
  ['Spectral: OpenAPI and OWASP', 'spectral', ['lint', DOCUMENT, '-r', RULES, '--fail-severity=warn', '-q']],
];

/**
 * Rules of the linter of schemas that do not hold here. `xml` and the format `int64` are OpenAPI's. A list of choices can
 * grow, so one with a single choice is an `enum` too.
 */
const NO_RULES = [
  'enum_to_const',
  'unknown_keywords_prefix',
  'unknown_format_prefix',
  'non_applicable_type_specific_keywords',
  // Generators of clients read the type of an enumeration.
  'enum_with_type',
  // The description of the resource is in the API description.
  'top_level_description',
  'top_level_examples',
  // Descriptions are sentences.
  'description_trailing_period',
];

/** Checks the API description and the schemas of items and lists with linters. */
export const part: Part = {
  about: 'the API description, a workflow and schemas: Redocly, Spectral, OWASP, Sourcemeta',
  needs: [],
  run: async ({ service, check }) => {
    const run = async (program: string, args: readonly string[]) => {
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { code, log } = await command(packageIn(SUITES, '.bin', program), args, { env });
      assert.equal(code, 0, log.slice(-6000));
      return log;
    };
    for (const [name, program, args] of LINTERS) await check(name, () => run(program, args));
    const parts = await storedParts(service);
    for (const [name, program, [lint = '', , ...options]] of LINTERS)
      await check(`${name}, ${parts.length} parts for one resource`, () =>
        run(program, [lint, ...parts, ...options]),
      );
    await check(`Redocly: a score of at least ${LEAST_SCORE}`, async () => {
      const log = await run('redocly', ['score', DOCUMENT, '--format', 'json']);
      const [, score] = /"agentReadiness": *([\d.]+)/.exec(log) ?? [];
      assert.ok(Number(score) >= LEAST_SCORE, log.slice(0, 1000));
    });
    await check('Redocly: recommended, in OpenAPI 3.2', async () => {
      const Accept = 'application/openapi+json;version=3.2';
      const { bytes, headers } = await service.client('GET', '/openapi.json', { headers: { Accept } });
      assert.equal(headers['content-type'], Accept);
      const path = join(service.folder, 'openapi-3.2.json');
      await writeFile(path, bytes);
      await run('redocly', ['lint', path, '--config', CONFIG]);
    });
    await check('Redocly: the workflow of the tour', () =>
      run('redocly', ['respect', WORKFLOW, '--server', `api=${service.url}`]),
    );
    const schemas = await download(service);
    await check(`${schemas.length} schemas fit JSON Schema`, () =>
      run('jsonschema', ['metaschema', ...schemas]),
    );
    const excluded = NO_RULES.flatMap((rule) => ['--exclude', rule]);
    await check('Sourcemeta: lint', () => run('jsonschema', ['lint', ...schemas, ...excluded]));
  },
};

/**
 * Stores the parts of the description for one resource, those of this service and of one of the package. Returns the paths of
 * their files.
 */
async function storedParts({ client, folder }: Given['service']): Promise<readonly string[]> {
  const own = await Promise.all(
    [...partsOf(openApi(registry), registry, '/').keys()].map(async (name) => {
      const { status, text } = await client('GET', `/openapi.json?resource=${name}`);
      assert.equal(status, 200, name);
      return [name, text] as const;
    }),
  );
  const others = [...partsOf(openApi(ofPackage), ofPackage, '/')].map(
    ([name, part]) => [`package-${name}`, JSON.stringify(part)] as const,
  );
  return Promise.all(
    [...own, ...others].map(async ([name, text]) => {
      const path = join(folder, `part-${name}.json`);
      await writeFile(path, text);
      return path;
    }),
  );
}

/** Stores the schemas of the items and lists of all collections. Returns the paths of their files. */
async function download({ client, folder }: Given['service']): Promise<readonly string[]> {
  const collections = (await client('GET', '/')).json().links.map(({ href }) => href);
  const lists = await Promise.all(collections.map((href) => client('GET', href)));
  const links = lists.map(({ text }) => text).join('\n');
  const plurals = new Set([...links.matchAll(/\/schemas\/([a-z]+)/g)].map(([, name]) => name as string));
  const names = [...plurals].flatMap((name) => [name, name.replace(/s$/, '')]);
  assert.ok(names.length >= 10, names.join());
  return Promise.all(
    [...names].map(async (name) => {
      const { status, bytes } = await client('GET', `/schemas/${name}`);
      assert.equal(status, 200, name);
      const path = join(folder, `${name}.json`);
      await writeFile(path, bytes);
      return path;
    }),
  );
}
