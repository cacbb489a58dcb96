import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { registry } from '../../../functions/registry.ts';
import { type Bundle, bundle } from '../../../infra/bundle/bundle.ts';
import { BACKGROUND } from '../../house/background.ts';

/** Bytes of a minified bundle with the client of DynamoDB. 100 KB more take about 4 ms more to load. */
const MAXIMUM_BYTES = 362_000;
/** Files and published objects need the SDK's client of S3. */
const MAXIMUM_BYTES_WITH_OBJECTS = 512_000;
/** Resources without storage need no client. */
const MAXIMUM_BYTES_WITHOUT_STORES = 126_000;
/** The sign-in checks tokens and seals cookies with jose. */
const MAXIMUM_BYTES_OF_JOSE = 52_000;

/** No client waits for the start of these. The worker contains all resources, each with its validator. */
const MAXIMUM_BYTES_IN_BACKGROUND = 585_000 + 5_000 * registry.length;

const directory = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(directory, { recursive: true }));

const bundles = new Map<string, Bundle>(registry.map(({ name }) => [name, bundle(name, directory)]));

describe.each(registry)('the bundle of $name', ({ name, table, uses, relations, binaries }) => {
  const { bytes, metafile } = bundles.get(name) as Bundle;
  const inputs = Object.keys(metafile.inputs);
  const packages = new Set(
    inputs.flatMap((path) => /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const keepsNothing = !table && uses.length === 0;
  // The first request for the bytes of a binary property, or for new upload links, loads the client of S3.
  const needsObjects =
    uses.some((use) => 'objects' in use && !['read', 'stage'].includes(use.access)) && !binaries;

  test('contains no other resource, but the facts of the items that it can expand', () => {
    const foreign = inputs.filter(
      (path) => path.startsWith('functions/') && !path.startsWith(`functions/${name}/`),
    );
    const related = Object.values(relations).map(({ to }) => `functions/${to.name}/fields.ts`);
    expect(foreign.sort()).toEqual(related.sort());
    expect(inputs).toContain(`functions/${name}/handler.ts`);
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
    const tokens = packages.has('jose') ? MAXIMUM_BYTES_OF_JOSE : 0;
    expect(bytes).toBeLessThanOrEqual((keepsNothing ? MAXIMUM_BYTES_WITHOUT_STORES : maximum) + tokens);
  });

  isDeployable(bundles.get(name) as Bundle);
});

/** The worker runs the accepted requests of every resource. */
const WORKER = 'worker';

describe.each(BACKGROUND)('the bundle of %s', (name) => {
  const built = bundle(name, directory);
  const inputs = Object.keys(built.metafile.inputs).filter((path) => path.startsWith('functions/'));

  test('contains one handler, and the worker’s contains every resource', () => {
    expect(inputs.filter((path) => path.endsWith('/handler.ts'))).toEqual([`functions/${name}/handler.ts`]);
    const facts = registry.map((resource) => `functions/${resource.name}/resource.ts`);
    if (name === WORKER) expect(inputs).toEqual(expect.arrayContaining(facts));
  });

  test('is small', () => expect(built.bytes).toBeLessThanOrEqual(MAXIMUM_BYTES_IN_BACKGROUND));

  isDeployable(built);
});

/** Rules for every bundle. */
function isDeployable({ onDemand, directory: target }: Bundle): void {
  test('loads alone, as in Lambda, and finds the modules that it loads later', () => {
    const script = `
      if (typeof require('./index.js').handler !== 'function') throw new Error('No handler');
      for (const name of ${JSON.stringify(onDemand)}) require(name);`;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: target, encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  test('contains no local path', () => {
    const text = readFileSync(join(target, 'index.js'), 'utf8');
    expect(text.length).toBeGreaterThan(1000);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toContain(directory);
  });
}
