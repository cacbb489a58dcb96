import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Sends the output of installers to stderr, because stdout is for results. */
const TO_STDERR: ['ignore', number, number] = ['ignore', 2, 2];

/** The Python programs of the rehearsal, each with the folder of its requirements.txt and of its packages. */
const FOLDERS = {
  'cfn-lint': import.meta.dirname,
  python: import.meta.dirname,
  checkov: join(import.meta.dirname, 'checkov'),
} as const;

/** The path of a Python program. */
export const program = (name: keyof typeof FOLDERS): string => join(FOLDERS[name], '.venv/bin', name);

/** Installs the Python packages at the first use. @throws if the machine lacks Python with venv */
export function installPython(): void {
  install('cfn-lint');
  install('checkov');
}

function install(name: keyof typeof FOLDERS): void {
  if (existsSync(program(name))) return;
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0)
    throw new Error('python3 with venv is needed (Debian: python3-venv)');
  console.error(`Installing ${name} …`);
  const venv = join(FOLDERS[name], '.venv');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: TO_STDERR });
  // Python compiles modules at their first use, because the rehearsal uses few of them.
  const quiet = ['-q', '--no-compile', '--disable-pip-version-check'];
  const requirements = join(FOLDERS[name], 'requirements.txt');
  execFileSync(join(venv, 'bin/pip'), ['install', ...quiet, '-r', requirements], { stdio: TO_STDERR });
}
