import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const venv = join(here, '.venv');

/** A program of the Python packages in requirements.txt. */
export const pythonProgram = (name: string): string => join(venv, 'bin', name);

/** A program of the npm packages in package.json. */
export const npmProgram = (name: string): string => join(here, 'node_modules/.bin', name);

/** Installs the npm packages, on first use. */
export function installPackages(): void {
  if (existsSync(join(here, 'node_modules'))) return;
  console.log('Installing the npm packages of the suites …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
}

/** Installs the Python packages, on first use. */
export function installPython(python: string): void {
  if (existsSync(pythonProgram('httplint'))) return;
  console.log('Installing the Python packages of the suites …');
  execFileSync(python, ['-m', 'venv', venv], { stdio: 'inherit' });
  const quiet = ['-q', '--disable-pip-version-check'];
  execFileSync(pythonProgram('pip'), ['install', ...quiet, '-r', join(here, 'requirements.txt')], {
    stdio: 'inherit',
  });
}
