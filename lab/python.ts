import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The path of a program from the Python packages of a folder. */
export const pythonProgram = (folder: string, name: string): string => join(folder, '.venv/bin', name);

/**
 * Installs the packages in requirements.txt of a folder at the first use, and again after a change of this file.
 * @throws if the machine lacks Python with venv (Debian: python3-venv)
 */
export function installPython(folder: string): void {
  const requirements = join(folder, 'requirements.txt');
  const installed = join(folder, '.venv/requirements.txt');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(requirements))) return;
  console.error(`Installing the Python packages of ${basename(folder)} …`);
  // Python compiles modules at their first use. Installers write to stderr, because stdout is for results.
  const pip = ['install', '-q', '--no-compile', '--disable-pip-version-check', '-r', requirements];
  execFileSync('python3', ['-m', 'venv', join(folder, '.venv')], { stdio: ['ignore', 2, 2] });
  execFileSync(pythonProgram(folder, 'pip'), pip, { stdio: ['ignore', 2, 2] });
  copyFileSync(requirements, installed);
}
