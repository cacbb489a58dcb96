import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** Sends the output of installers to stderr, because stdout is for results. */
const TO_STDERR: ['ignore', number, number] = ['ignore', 2, 2];
const venv = join(here, '.venv');
const requirements = join(here, 'requirements.txt');
/** A copy of the requirements that are installed. */
const installed = join(venv, 'requirements.txt');

/** The path of a program from the Python packages in requirements.txt. */
export const pythonProgram = (name: string): string => join(venv, 'bin', name);

/** The path of a program from the npm packages in package.json. */
export const npmProgram = (name: string): string => join(here, 'node_modules/.bin', name);

/** Installs the npm packages at the first use. */
export function installPackages(): void {
  if (existsSync(join(here, 'node_modules'))) return;
  console.error('Installing the npm packages of the suites …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: TO_STDERR });
}

/** Installs the Python packages at the first use, and again after a change of the requirements. */
export function installPython(python: string): void {
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(requirements))) return;
  console.error('Installing the Python packages of the suites …');
  execFileSync(python, ['-m', 'venv', venv], { stdio: TO_STDERR });
  const quiet = ['-q', '--disable-pip-version-check'];
  execFileSync(pythonProgram('pip'), ['install', ...quiet, '-r', requirements], {
    stdio: TO_STDERR,
  });
  copyFileSync(requirements, installed);
}
