import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeed } from '../../program.ts';

/** Installs exact versions of npm packages, unless the folder has them. @throws UserError */
export async function installNpm(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  const file = join(folder, 'package.json');
  const text = JSON.stringify({ private: true, type: 'module', dependencies });
  if (existsSync(join(folder, 'node_modules')) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock'];
  await succeed('npm', args, 'npm could not install it', { cwd: folder });
}
