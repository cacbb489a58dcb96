import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Installs the npm packages of a folder with its own lock file, at the first use. npm writes to stderr, because stdout
 * is for results. Returns the path of a file in these packages.
 */
export function packageIn(folder: string, ...path: readonly string[]): string {
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) {
    console.error(`Installing the packages of ${basename(folder)} …`);
    const shell = process.platform === 'win32';
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2], shell });
  }
  return join(packages, ...path);
}
