import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ratchets } from '../../test/house/ratchets.ts';

/**
 * Prints the counts that have a limit, and exits with 1 if one is above it: those of test/house, the lines of the API
 * description, and the installed packages (docs/decisions/0032-a-light-checkout.md).
 */
const root = join(import.meta.dirname, '../..');

/** Maximum number of lines of both descriptions together. */
const DESCRIPTION_LINES = 11_500;
/** Maximum size of node_modules in MB of 1,048,576 bytes. */
const PACKAGES_MB = 620;

/** Returns the files of git that fit a pattern. */
function filesOf(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '');
}

/** Returns the number of lines in all of these files, as `wc -l` counts them. */
const linesIn = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').split('\n').length - 1, 0);

const lines = linesIn(filesOf('docs/openapi*.json'));

/** Returns the bytes on disk of a folder and all files in it, as `du` counts them. */
function bytesIn(folder: string): number {
  const inner = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? bytesIn(path) : bytesOf(path);
  });
  return inner.reduce((sum, bytes) => sum + bytes, bytesOf(folder));
}
const bytesOf = (path: string): number => 512 * lstatSync(path).blocks;

const megabytes = Math.round(bytesIn(join(root, 'node_modules')) / 2 ** 20);

/** True if the value is within its limit. */
function holds(name: string, value: number, limit: number): boolean {
  const text = `${name}: ${value.toLocaleString('en')} of at most ${limit.toLocaleString('en')}`;
  console.log(value > limit ? `${text} – too much` : text);
  return value <= limit;
}

const held = [
  ...ratchets.map(({ name, limit, found }) => holds(name, found.length, limit)),
  holds('lines of the API description', lines, DESCRIPTION_LINES),
  holds('MB in node_modules', megabytes, PACKAGES_MB),
];
process.exitCode = held.every((one) => one) ? 0 : 1;
