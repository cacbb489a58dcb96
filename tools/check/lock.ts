import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Rules for each package-lock.json: no download addresses, an integrity for each package, and all optional platform
 * packages. If a registry lacks one of these, npm silently omits it, and `npm ci` fails later.
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

/** Folders with a lock file: the project, and the commands with their own packages. */
const FOLDERS = ['.', 'tools/check', 'lab/sam/image/runtime', 'lab/bench', 'lab/mutants', 'lab/suites'];

const read = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', folder, name), 'utf8'));

/** Returns the faults of a folder's lock file and of the versions in its package.json. */
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
