import { spawnSync } from 'node:child_process';
import { packageIn } from '../packages.ts';

/** Runs a program of the packages of this folder, which its first use installs: the linter, or the search for dead code. */
const [program = '', ...args] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [packageIn(import.meta.dirname, program), ...args], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
