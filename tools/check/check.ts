import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a program of the packages of `tools/check`. */
const PACKAGED = 'tools/check/packaged.ts';

/**
 * `npm run check`: all checks before a commit. It runs all of them, whatever fails. The last line counts. Tests check
 * dependency rules, bundle budgets and documents. `npm run check -- types lint` runs these checks alone. `--tested`:
 * skip the tests, because they ran just before.
 */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '-p', '.'],
  lint: ['node', PACKAGED, '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  generated: ['node', 'tools/generate/main.ts', '--check'],
  cost: ['node', 'lab/cost/measured/run.ts', '--check'],
  compatible: ['node', 'openapi/compare.ts'],
  stored: ['node', 'tools/check/stored.ts'],
  lock: ['node', 'tools/check/lock.ts'],
  sizes: ['node', 'tools/check/sizes.ts'],
  dead: ['node', PACKAGED, 'knip/bin/knip.js'],
  packages: ['node', 'tools/check/packages.ts'],
  walk: ['node', 'lab/walk/run.ts', '--check'],
  synth: ['cdk', 'synth', '-q', '--no-notices'],
  tests: ['npm', 'test', '--', '--silent'],
};

const given = process.argv.slice(2).filter((one) => one !== '--tested');
const unknown = given.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. The checks are: ${Object.keys(CHECKS).join(', ')}`);
  process.exit(2);
}
const isTested = process.argv.includes('--tested');
const chosen =
  given.length > 0 ? given : Object.keys(CHECKS).filter((name) => !(isTested && name === 'tests'));
const bin = join(import.meta.dirname, '../../node_modules/.bin');
const failed: string[] = [];
for (const name of chosen) {
  const [command = '', ...args] = CHECKS[name] ?? [];
  console.log(`\n— ${name}: ${[command, ...args].join(' ')}`);
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    shell: process.platform === 'win32',
  });
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? '\nAll checks passed' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
