import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Installs the npm packages of a folder with its own lock file at the first use, and again after a change of this file.
 * npm writes to stderr, because stdout is for results. Returns the path of a file in these packages.
 */
export function packageIn(folder: string, ...path: readonly string[]): string {
  const packages = join(folder, 'node_modules');
  const lock = join(folder, 'package-lock.json');
  const installed = join(packages, 'package-lock.json');
  if (!existsSync(installed) || !readFileSync(installed).equals(readFileSync(lock))) {
    console.error(`Installing the packages of ${basename(folder)} …`);
    const shell = process.platform === 'win32';
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2], shell });
    copyFileSync(lock, installed);
  }
  return join(packages, ...path);
}
