import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What must hold of each package-lock.json: no download addresses, an integrity for every package, and every optional
 * platform package in it (npm leaves out, without a word, those that a registry lacks, and then `npm ci` fails).
 */
interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The project, and the commands that have packages of their own. */
const FOLDERS = ['.', 'tools/sam/runtime', 'tools/bench', 'tools/suites'];

const read = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', folder, name), 'utf8'));

/** What is wrong with a folder's lock file and with the versions that its package.json names. */
function faultsOf(folder: string): string[] {
  const { packages } = read(folder, 'package-lock.json') as { packages: Readonly<Record<string, Entry>> };
  const manifest = read(folder, 'package.json') as Manifest;
  const faults: string[] = [];
  for (const [name, entry] of Object.entries(packages)) {
    if (entry.resolved !== undefined) faults.push(`${name} has a download address`);
    if (name !== '' && !entry.link && !entry.inBundle && !entry.integrity)
      faults.push(`${name} has no integrity`);
    for (const optional of Object.keys(entry.optionalDependencies ?? {})) {
      const nested = `${name}/node_modules/${optional}`.replace(/^\//, '');
      if (!packages[`node_modules/${optional}`] && !packages[nested])
        faults.push(`${optional} of ${name} is missing`);
    }
  }
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides']) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      if (!/^\d+\.\d+\.\d+$/.test(version)) faults.push(`${name} is not pinned: ${version}`);
    }
  }
  return faults.map((fault) => `${folder}: ${fault}`);
}

const faults = FOLDERS.flatMap(faultsOf);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
