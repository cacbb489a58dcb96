import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Sends the output of installers to stderr, because stdout is for results. */
const TO_STDERR: ['ignore', number, number] = ['ignore', 2, 2];
const venv = join(import.meta.dirname, '.venv');

/** The path of a program from the Python packages in requirements.txt. */
export const program = (name: string): string => join(venv, 'bin', name);

/** Installs the Python packages at the first use. @throws if the machine lacks Python with venv */
export function installPython(): void {
  if (existsSync(program('cfn-lint'))) return;
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0)
    throw new Error('python3 with venv is needed (Debian: python3-venv)');
  console.error('Installing the Python packages of the rehearsal …');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: TO_STDERR });
  // Python compiles modules at their first use, because the rehearsal uses few of them.
  const quiet = ['-q', '--no-compile', '--disable-pip-version-check'];
  const requirements = join(import.meta.dirname, 'requirements.txt');
  execFileSync(program('pip'), ['install', ...quiet, '-r', requirements], { stdio: TO_STDERR });
}
