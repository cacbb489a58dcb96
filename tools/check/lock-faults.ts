interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package-lock.json. */
export interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

/** A package.json: versions by the name of a package, by the kind of dependency. */
export type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Returns the faults of a lock file and of the versions in its package.json. There are no download addresses, an
 * integrity for each package of others, and all optional platform packages. If a registry lacks one of these, npm
 * silently omits it, and `npm ci` fails later.
 */
export function lockFaults({ packages }: Lock, manifest: Manifest): string[] {
  const faults: string[] = [];
  for (const [name, entry] of Object.entries(packages)) {
    if (entry.resolved !== undefined && !entry.link) faults.push(`${name} has a download address`);
    if (name.includes('node_modules/') && !entry.link && !entry.inBundle && !entry.integrity)
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
  return faults;
}
