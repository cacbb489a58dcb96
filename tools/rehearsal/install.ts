import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The output of installers is news, not a result. */
const TO_STDERR: ['ignore', number, number] = ['ignore', 2, 2];
const venv = join(import.meta.dirname, '.venv');

/** A program of the Python packages in requirements.txt. */
export const program = (name: string): string => join(venv, 'bin', name);

/** Installs the Python packages, on first use. @throws when the machine has no Python that can */
export function installPython(): void {
  if (existsSync(program('cfn-lint'))) return;
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0)
    throw new Error('python3 with venv is needed (Debian: python3-venv)');
  console.error('Installing the Python packages of the rehearsal …');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: TO_STDERR });
  // Compiled when used: that is a small part of them.
  const quiet = ['-q', '--no-compile', '--disable-pip-version-check'];
  const requirements = join(import.meta.dirname, 'requirements.txt');
  execFileSync(program('pip'), ['install', ...quiet, '-r', requirements], { stdio: TO_STDERR });
}
