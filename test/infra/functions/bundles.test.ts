import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Bundle } from '../../../infra/bundle/bundle.ts';
import { registry } from '../../../service/registry.ts';
import { BACKGROUND } from '../../house/background.ts';
import { bundlesOf } from '../bundles.ts';

/**
 * Bytes that a cold start loads, with the client of DynamoDB. 100 KB more take about 4 ms more. All limits are about 1 %
 * above the present size, so that a good change does not fail for some bytes.
 */
const MAXIMUM_BYTES = 434_000;
/** Files and published objects need the SDK's client of S3. */
const MAXIMUM_BYTES_WITH_OBJECTS = 502_000;
/** Resources without storage need no client. */
const MAXIMUM_BYTES_WITHOUT_STORES = 156_000;
/** Bytes of all files of a resource, with those that requests load on demand. */
const MAXIMUM_BYTES_IN_ALL = 1_095_000;

/** The library of the Model Context Protocol compiles schemas, and its validators are large. */
const MAXIMUM_BYTES_OF_AGENTS = 1_245_000;

/** No client waits for the start of these. The worker contains all resources, each with its validator. */
const MAXIMUM_BYTES_IN_BACKGROUND = 597_000 + 5_000 * registry.length;
const MAXIMUM_BYTES_IN_BACKGROUND_IN_ALL = 1_235_000 + 5_000 * registry.length;

/** Each dynamic import is a file, and so is code that several of them share. */
const MAXIMUM_FILES = 43;
/** The home page and the list of changes load all resources, with the files of each. */
const MAXIMUM_FILES_OF_ALL = 72;

const bundles = await bundlesOf();

/** The modules that every cold start loads. */
const staticModules = ({ chunks }: Bundle) =>
  chunks.filter(({ isStatic }) => isStatic).flatMap(({ modules }) => modules);

describe.each(registry)('the bundle of $name', ({ name, table, uses, relations, binaries, shows }) => {
  const built = bundles.get(name) as Bundle;
  const inputs = staticModules(built);
  const packages = new Set(
    inputs.flatMap((path) => /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const keepsNothing = !table && uses.length === 0;
  // The first request for the bytes of a binary property, or for new upload links, loads the client of S3.
  const needsObjects =
    uses.some((use) => 'objects' in use && !['read', 'stage'].includes(use.access)) && !binaries;

  test('contains no other definition, but those of the items that it can expand', () => {
    const foreign = inputs.filter(
      (path) =>
        path.startsWith('functions/') &&
        !path.startsWith(`functions/${name}/`) &&
        path !== `functions/${name}.ts`,
    );
    const related = Object.values(relations).map(({ to }) => `functions/${to.name}.ts`);
    expect(foreign.sort()).toEqual(related.sort());
  });

  test('contains exactly the clients that its facts need', () => {
    const clients = [...packages].filter((one) => one.startsWith('@aws-sdk/client-')).sort();
    const needsItems = table || uses.some((use) => 'table' in use);
    expect(clients).toEqual([
      ...(needsItems ? ['@aws-sdk/client-dynamodb'] : []),
      ...(needsObjects ? ['@aws-sdk/client-s3'] : []),
    ]);
    if (keepsNothing) expect([...packages].filter((one) => /^@(aws-sdk|smithy)\//.test(one))).toEqual([]);
  });

  test('is small', () => {
    const maximum = needsObjects ? MAXIMUM_BYTES_WITH_OBJECTS : MAXIMUM_BYTES;
    expect(built.bytes).toBeLessThanOrEqual(keepsNothing ? MAXIMUM_BYTES_WITHOUT_STORES : maximum);
  });

  if (name === 'mcp') isDeployable(built, MAXIMUM_BYTES_OF_AGENTS);
  else if (shows || name === 'changes')
    isDeployable(built, MAXIMUM_BYTES_IN_BACKGROUND_IN_ALL, MAXIMUM_FILES_OF_ALL);
  else isDeployable(built, MAXIMUM_BYTES_IN_ALL);
});

/** The worker runs the accepted requests of every resource. */
const WORKER = 'worker';

describe.each(BACKGROUND)('the bundle of %s', (name) => {
  const built = bundles.get(name) as Bundle;
  const inputs = staticModules(built).filter((path) => path.startsWith('functions/'));

  test('contains one handler, and the worker’s contains every resource', () => {
    expect(inputs.filter((path) => path.endsWith('/handler.ts'))).toEqual([`functions/${name}/handler.ts`]);
    const definitions = registry.map((one) => inputs.filter((path) => isDefinitionOf(one, path)).length);
    if (name === WORKER) expect(new Set(definitions)).toEqual(new Set([1]));
  });

  test('is small', () => expect(built.bytes).toBeLessThanOrEqual(MAXIMUM_BYTES_IN_BACKGROUND));

  isDeployable(built, MAXIMUM_BYTES_IN_BACKGROUND_IN_ALL);
});

const isDefinitionOf = ({ name }: { readonly name: string }, path: string): boolean =>
  path === `functions/${name}.ts` || path === `functions/${name}/resource.ts`;

/** Rules for every bundle. */
function isDeployable({ allBytes, chunks, directory }: Bundle, maximum: number, most = MAXIMUM_FILES): void {
  const files = chunks.map(({ file }) => file);

  test('loads alone, as in Lambda, and so does each file that it loads later', () => {
    const script = `
      if (typeof require('./index.js').handler !== 'function') throw new Error('No handler');
      for (const file of ${JSON.stringify(files)}) require('./' + file);`;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: directory, encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  test('contains no local path', () => {
    const text = files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n');
    expect(text.length).toBeGreaterThan(500);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toContain(directory);
  });

  test('consists of few files, and is small with all of them', () => {
    expect(readdirSync(directory).sort()).toEqual([...files, 'package.json'].sort());
    expect(files.length).toBeLessThanOrEqual(most);
    expect(allBytes).toBeLessThanOrEqual(maximum);
  });
}
