import assert from 'node:assert/strict';
import { command } from '../../../test/support/service/command.ts';
import type { Check } from '../../checks.ts';
import { type FilesByFolder, JEST, pathsOf, ROOT } from '../../conformance.ts';

/**
 * Tests of this project whose results a cache must not change. All share one service. These tests are left out:
 * - tests of preconditions and ranges, to which Varnish responds itself
 * - tests with requests that Varnish refuses
 * - tests that start their own service
 * - tests that expect their data on the first page of a list
 */
const FILES: FilesByFolder = {
  bulk: ['files/formats', 'files/forms', 'files/json', 'files/xml'],
  conditional: ['idempotency'],
  discovery: ['home', 'uris'],
  fields: ['decimals', 'validation'],
  files: ['files'],
  formats: ['content-types', 'json-patch', 'merge-patch', 'xml'],
  lists: ['lists', 'sort', 'walks'],
  operations: ['prefer'],
  pages: ['forms'],
  resources: [
    'add',
    'change',
    'customers',
    'member-reads',
    'members',
    'methods',
    'min-cost',
    'orders/customers',
    'orders/representation',
    'orders/writes',
    'products',
  ],
};

/** Runs tests of this project through the cache. */
export async function conformance(url: string, check: Check): Promise<void> {
  for (const file of pathsOf(FILES)) {
    await check(`this project’s tests in ${file}`, async () => {
      const env = { ...process.env, BASE_URL: url };
      const { code, log } = await command(process.execPath, [...JEST, file], { cwd: ROOT, env });
      assert.equal(code, 0, log.slice(-4000));
    });
  }
}
