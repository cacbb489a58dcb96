import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SERVICE } from '../../../service/folders.ts';
import { type Change, linesOf } from './change.ts';

/** A part of the check. Returns the lines to print, and whether it found a fault. */
type ServiceCheck = () => Promise<{ readonly lines: readonly string[]; readonly fails: boolean }>;

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Runs Node in the folder of the service. */
function node(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: SERVICE, encoding: 'utf8' });
  return {
    fails: status !== 0,
    lines: status === 0 ? ['  right'] : `${stdout}${stderr}`.trimEnd().split('\n'),
  };
}

const compared = (changes: readonly Change[]) => ({
  lines: changes.length === 0 ? ['  no change'] : linesOf(changes),
  fails: changes.some(({ effect }) => effect === 'breaks'),
});

const registry = async () => (await import('../../../service/registry.ts')).registry;

const RELEASED = join(SERVICE, 'docs/openapi.released.json');
const UNRELEASED = {
  lines: ['  not released yet: npx resource-api release records the first release'],
  fails: false,
};

const PARTS: Readonly<Record<string, ServiceCheck>> = {
  types: async () => node(tsc, '-p', '.'),
  definitions: async () => {
    const { faults } = await import('../../../service/faults.ts');
    const wrong = faults();
    return {
      lines: wrong.length === 0 ? ['  right'] : wrong.map((one) => `  ${one}`),
      fails: wrong.length > 0,
    };
  },
  contract: async () => {
    if (!existsSync(RELEASED)) return UNRELEASED;
    const { openApi } = await import('../../../openapi/document.ts');
    const { contractChanges } = await import('./contract.ts');
    // A released description is JSON.
    const resources = await registry();
    const present = JSON.parse(JSON.stringify(openApi(resources)));
    const isClosed = (path: string) =>
      resources.some(({ routes }) => routes.some((one) => one.path === path));
    return compared(contractChanges(JSON.parse(readFileSync(RELEASED, 'utf8')), present, isClosed));
  },
  'stored data': async () => {
    if (!existsSync(RELEASED)) return UNRELEASED;
    const { RELEASED: tables } = await import('../../../infra/stored.ts');
    const { storedChanges } = await import('./stored.ts');
    return compared(storedChanges(await registry(), tables));
  },
  tests: async () => node('--test', 'test/**/*.test.ts'),
};

/**
 * `npx resource-api check` runs all parts, whatever fails. `-` breaks clients or stored items, `~` has steps for an
 * operator, `+` adds. The exit status is 1 if a part found a fault or a break.
 */
const failed: string[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  const { lines, fails } = await part().catch((error: Error) => ({
    lines: [`  ${error.message}`],
    fails: true,
  }));
  console.log([name, ...lines].join('\n'));
  if (fails) failed.push(name);
}
console.log(failed.length === 0 ? '\nReady to deploy' : `\nNot ready: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
