import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Check } from '../../../test/support/checks.ts';
import { command } from '../../../test/support/service/command.ts';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Tests of this project whose results a cache must not change. All share one service. These tests are left out:
 * - tests of preconditions and ranges, to which Varnish responds itself
 * - tests with requests that Varnish refuses
 * - tests that start their own service
 * - tests that expect their data on the first page of a list
 */
const FILES = [
  'resources/add',
  'bulk/files/formats',
  'bulk/files/forms',
  'bulk/files/json',
  'bulk/files/xml',
  'resources/change',
  'formats/content-types',
  'resources/customers',
  'fields/decimals',
  'files/files',
  'pages/forms',
  'discovery/home',
  'conditional/idempotency',
  'formats/json-patch',
  'lists/lists',
  'resources/member-reads',
  'resources/members',
  'formats/merge-patch',
  'resources/methods',
  'resources/min-cost',
  'resources/orders/customers',
  'resources/orders/representation',
  'resources/orders/writes',
  'operations/prefer',
  'resources/products',
  'lists/sort',
  'discovery/uris',
  'fields/validation',
  'lists/walks',
  'formats/xml',
];

/** Runs tests of this project through the cache. */
export async function conformance(url: string, check: Check): Promise<void> {
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  for (const file of FILES) {
    await check(`this project’s tests in ${file}`, async () => {
      const { code, log } = await command(process.execPath, [...jest, `test/conformance/${file}.test.ts`], {
        cwd: ROOT,
        env: { ...process.env, BASE_URL: url },
      });
      assert.equal(code, 0, log.slice(-4000));
    });
  }
}
