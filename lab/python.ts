import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { succeed } from './program.ts';

/** The path of a program from the Python packages of a folder. */
export const pythonProgram = (folder: string, name: string): string => join(folder, '.venv/bin', name);

/**
 * Installs the packages in requirements.txt of a folder at the first use, and again after a change of this file.
 * @throws UserError if the machine lacks Python with venv, or a package cannot be installed
 */
export async function installPython(folder: string): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  const installed = join(folder, '.venv/requirements.txt');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(requirements))) return;
  console.error(`Installing the Python packages of ${basename(folder)} …`);
  const venv = ['-m', 'venv', join(folder, '.venv')];
  await succeed('python3', venv, 'Python with venv is required (Debian: python3-venv)');
  // Python compiles modules at their first use.
  const pip = ['install', '-q', '--no-compile', '--disable-pip-version-check', '-r', requirements];
  await succeed(pythonProgram(folder, 'pip'), pip, 'pip could not install the packages');
  copyFileSync(requirements, installed);
}
