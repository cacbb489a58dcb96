import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { registry } from '../../functions/registry.ts';
import { type Bundle, bundle } from '../../infra/bundle/bundle.ts';
import { BACKGROUND } from '../house/background.ts';

/** Bytes of a minified bundle: 100 KB more take about 4 ms longer to load. */
const MAXIMUM_BYTES = 470_000;
/** Resources that keep nothing need no SDK. */
const MAXIMUM_BYTES_WITHOUT_STORES = 98_000;

/** Nobody waits for these to start: the worker holds what all resources do. */
const MAXIMUM_BYTES_IN_BACKGROUND = 560_000;

const directory = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(directory, { recursive: true }));

const bundles = new Map<string, Bundle>(registry.map(({ name }) => [name, bundle(name, directory)]));

describe.each(registry)('the bundle of $name', ({ name, table, uses }) => {
  const { bytes, metafile } = bundles.get(name) as Bundle;
  const inputs = Object.keys(metafile.inputs);
  const packages = new Set(
    inputs.flatMap((path) => /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const keepsNothing = !table && uses.length === 0;

  test('holds no other resource', () => {
    const foreign = inputs.filter(
      (path) => path.startsWith('functions/') && !path.startsWith(`functions/${name}/`),
    );
    expect(foreign).toEqual([]);
    expect(inputs).toContain(`functions/${name}/handler.ts`);
  });

  test('holds the clients that its facts need, and no other', () => {
    const clients = [...packages].filter((one) => one.startsWith('@aws-sdk/client-')).sort();
    expect(clients).toEqual([
      ...(table || uses.some((use) => 'table' in use) ? ['@aws-sdk/client-dynamodb'] : []),
      ...(uses.some((use) => 'objects' in use) ? ['@aws-sdk/client-s3'] : []),
    ]);
    if (keepsNothing) expect([...packages].filter((one) => /^@(aws-sdk|smithy)\//.test(one))).toEqual([]);
  });

  test('is small', () => {
    expect(bytes).toBeLessThanOrEqual(keepsNothing ? MAXIMUM_BYTES_WITHOUT_STORES : MAXIMUM_BYTES);
  });

  isDeployable(bundles.get(name) as Bundle);
});

/** It works on what was accepted by any resource. */
const WORKER = 'worker';

describe.each(BACKGROUND)('the bundle of %s', (name) => {
  const built = bundle(name, directory);
  const inputs = Object.keys(built.metafile.inputs).filter((path) => path.startsWith('functions/'));

  test('holds one handler; the worker’s holds every resource', () => {
    expect(inputs.filter((path) => path.endsWith('/handler.ts'))).toEqual([`functions/${name}/handler.ts`]);
    const facts = registry.map((resource) => `functions/${resource.name}/resource.ts`);
    if (name === WORKER) expect(inputs).toEqual(expect.arrayContaining(facts));
  });

  test('is small', () => expect(built.bytes).toBeLessThanOrEqual(MAXIMUM_BYTES_IN_BACKGROUND));

  isDeployable(built);
});

/** What holds of every bundle. */
function isDeployable({ onDemand, directory: target }: Bundle): void {
  test('loads by itself, as Lambda loads it, and finds what it loads later', () => {
    const script = `
      if (typeof require('./index.js').handler !== 'function') throw new Error('No handler');
      for (const name of ${JSON.stringify(onDemand)}) require(name);`;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: target, encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  test('holds no path of this machine', () => {
    const text = readFileSync(join(target, 'index.js'), 'utf8');
    expect(text.length).toBeGreaterThan(1000);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toContain(directory);
  });
}
