import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PARTS, USUAL } from './parts.ts';

/**
 * `npm run tool -- mutants [PART…]` runs Stryker: it changes the code in one place at a time, and the unit tests must
 * notice. `--all` runs all parts. The exit code is 1 if the tests of a part notice less than 85 % of its mutants.
 */
const here = import.meta.dirname;
const root = join(here, '../..');

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. The parts are: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
if (!existsSync(join(here, 'node_modules'))) {
  console.error('Installing Stryker …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
}

const names = values.all ? Object.keys(PARTS) : positionals.length > 0 ? positionals : [USUAL];
const failed = names.filter((name) => {
  console.log(`\n${name}`);
  const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', join(here, 'stryker.config.mjs')], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS: JSON.stringify({ name, folder: here, ...PARTS[name] }) },
  });
  return status !== 0;
});
if (failed.length > 0) console.error(`Stryker failed for: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
