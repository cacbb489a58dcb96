import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What must hold of package-lock.json: no download addresses, an integrity for every package, and every optional
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

const path = join(import.meta.dirname, '../package-lock.json');
const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Readonly<Record<string, Entry>> };
const manifest = JSON.parse(readFileSync(join(path, '../package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
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
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
