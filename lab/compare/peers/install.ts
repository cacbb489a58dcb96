import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeed } from '../../program.ts';

/** Installs exact versions of npm packages, unless the folder has them. @throws Obstacle */
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

/** Installs the packages in requirements.txt of the folder. @throws Obstacle */
export async function installPip(folder: string): Promise<void> {
  const done = join(folder, 'venv/requirements.txt');
  const wanted = join(folder, 'requirements.txt');
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(wanted, 'utf8')) return;
  await succeed('python3', ['-m', 'venv', join(folder, 'venv')], 'Python could not make an environment');
  const args = ['install', '-q', '--disable-pip-version-check', '-r', wanted];
  await succeed(join(folder, 'venv/bin/pip'), args, 'pip could not install it');
  copyFileSync(wanted, done);
}
