import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that only checks need: knip and openapi-typescript, with the older TypeScript that both expect. */
const PACKAGES = join(import.meta.dirname, 'node_modules');

/** Returns the path of a file in these packages. Installs them at the first use. */
export function checkPackage(...path: readonly string[]): string {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  if (!existsSync(PACKAGES))
    execFileSync(npm, ['ci'], {
      cwd: import.meta.dirname,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    });
  return join(PACKAGES, ...path);
}
