import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE } from '../../service/folders.ts';
import { pack } from '../pack/pack.ts';
import { packageIn } from '../packages.ts';

/** The kilobytes that an installation of the client alone may have. */
const CLIENT_KB = 50;

const shell = process.platform === 'win32';
const faults: string[] = [];

/** Runs a program, and notes its output as a fault if it fails. */
function run(what: string, program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: PACKAGE, encoding: 'utf8', shell });
  console.log(`${status === 0 ? '✓' : '✕'} ${what}`);
  if (status !== 0) faults.push(`${what}\n${stdout}${stderr}`);
}

/** Notes a fault unless the fact holds. */
function expect(what: string, isTrue: boolean, details: string): void {
  console.log(`${isTrue ? '✓' : '✕'} ${what}`);
  if (!isTrue) faults.push(`${what}\n${details}`);
}

/**
 * `npm run check -- packages` packs what is published, and judges each tarball: publint, arethetypeswrong, a publication
 * without its effect, and what it contains.
 */
const out = mkdtempSync(join(tmpdir(), 'packages-'));
try {
  for (const tarball of pack(out).all) {
    const name = tarball.slice(out.length + 1);
    const node = process.execPath;
    run(`${name}: publint`, node, [
      packageIn(import.meta.dirname, 'publint/src/cli.js'),
      tarball,
      '--strict',
    ]);
    const attw = packageIn(import.meta.dirname, '@arethetypeswrong/cli/dist/index.js');
    // JSON has no types.
    run(`${name}: the types are right`, node, [
      attw,
      tarball,
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      './tsconfig.json',
    ]);
    run(`${name}: npm would publish it`, 'npm', ['publish', tarball, '--dry-run', '--provenance=false']);
    const folder = join(out, name.replace(/\.tgz$/, ''));
    mkdirSync(folder);
    execFileSync('tar', ['xzf', tarball, '-C', folder]);
    const listed = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const own = listed.filter((path) => /^package\/(?:node_modules\/[^/]+\/)?(?:test|lab)\//.test(path));
    expect(`${name}: no tests and no laboratory`, listed.length > 3 && own.length === 0, own.join('\n'));
    const telling = listed.filter(
      (path) => !path.endsWith('/') && readFileSync(join(folder, path)).includes(`${PACKAGE}/`),
    );
    expect(`${name}: no folder of this machine`, telling.length === 0, telling.join('\n'));
    if (!name.startsWith('resource-api-client')) continue;
    const kilobytes = listed.reduce((sum, path) => sum + readFileSync(join(folder, path)).length, 0) / 1024;
    expect(`${name}: at most ${CLIENT_KB} KB`, kilobytes <= CLIENT_KB, `${kilobytes}`);
  }
} finally {
  rmSync(out, { recursive: true });
}
for (const fault of faults) console.error(`\n${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
