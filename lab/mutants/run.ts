import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageIn } from '../../tools/packages.ts';
import { namesOf } from '../parts.ts';
import { PARTS, USUAL } from './parts.ts';

/**
 * `npm run lab -- mutants [PART…]` runs Stryker: it changes the code in one place at a time, and the unit tests must
 * notice. `--all` runs all parts. The exit code is 1 if the tests of a part notice less than 85 % of its mutants.
 */
const here = import.meta.dirname;
const root = join(here, '../..');

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const all = Object.keys(PARTS);
const names = values.all ? all : namesOf(positionals.length > 0 ? positionals : [USUAL], all);
const stryker = packageIn(here, '@stryker-mutator/core/bin/stryker.js');
const failed = names.filter((name) => {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [stryker, 'run', join(here, 'stryker.config.mjs')], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS: JSON.stringify({ name, folder: here, ...PARTS[name] }) },
  });
  return status !== 0;
});
if (failed.length > 0) console.error(`Stryker failed for: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
