import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageIn } from '../../../tools/packages.ts';

test('packages are installed at the first use, and again after a change of the lock file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/package.json'), '{"name":"one","version":"1.0.0"}');
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"one":"file:one"}}');
    const options = { cwd: folder, shell: process.platform === 'win32' };
    execFileSync('npm', ['install', '--package-lock-only', '--offline', '--silent'], options);
    const one = packageIn(folder, 'one');
    expect(existsSync(one)).toBe(true);
    rmSync(one);
    packageIn(folder);
    expect(existsSync(one)).toBe(false);
    appendFileSync(join(folder, 'package-lock.json'), '\n');
    packageIn(folder);
    expect(existsSync(one)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
