import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run check`: all checks before a commit. It runs all of them, whatever fails. The last line counts. Tests check
 * dependency rules, bundle budgets and documents. `--tested`: skip the tests, because they ran just before.
 */
const CHECKS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['types', ['tsc', '-p', '.']],
  ['lint and format', ['biome', 'check', '--error-on-warnings', '.']],
  ['generated files', ['node', 'tools/generate/main.ts', '--check']],
  ['cost of requests', ['node', 'tools/cost/measured/run.ts', '--check']],
  ['nothing taken from clients', ['node', 'openapi/compare.ts']],
  ['lock file', ['node', 'tools/check/lock.ts']],
  ['dead code', ['knip']],
  ['synth', ['cdk', 'synth', '-q', '--no-notices']],
  ['tests', ['npm', 'test', '--', '--silent']],
];

const isTested = process.argv.includes('--tested');
const bin = join(import.meta.dirname, '../../node_modules/.bin');
const failed: string[] = [];
for (const [name, [command = '', ...args]] of CHECKS) {
  if (isTested && name === 'tests') continue;
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
