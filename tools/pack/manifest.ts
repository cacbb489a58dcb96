import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { UserError } from '../user-error.ts';

type Names = Readonly<Record<string, string>>;

/** A package.json of this repository. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Names;
  readonly bin?: Names;
  readonly imports?: Names;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
}

/** Members of package.json that only this repository needs. */
const OWN_MEMBERS = [
  'devDependencies',
  'optionalDependencies',
  'overrides',
  'scarfSettings',
  'scripts',
  'workspaces',
];

/** The package.json of a package as npm gets it: it names compiled modules. `repository`: `owner/name` at GitHub. */
export function published(described: Manifest, repository = process.env.GITHUB_REPOSITORY) {
  const members = Object.entries(described).filter(([name]) => !OWN_MEMBERS.includes(name));
  return {
    ...Object.fromEntries(members),
    ...(repository ? { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } } : {}),
    ...(described.bin ? { bin: mapped(described.bin, compiled) } : {}),
    exports: mapped(described.exports, (path) =>
      path.endsWith('.ts') ? { types: path.replace(/\.ts$/, '.d.ts'), default: compiled(path) } : path,
    ),
    ...(described.imports ? { imports: mapped(described.imports, compiled) } : {}),
  };
}

/** Packages that a service needs and no module imports: the compiler and types. */
const NOT_IMPORTED = ['@types/node', 'typescript'];

/** Packages that a service installs itself if it states the fact that needs them: the door for agents. */
const ON_REQUEST = ['@modelcontextprotocol/server'];

/** Returns the packages that a service may install, as package.json states them. */
export const optionalPeers = ({ dependencies = {} }: Manifest) => ({
  peerDependencies: Object.fromEntries(ON_REQUEST.map((one) => [one, dependencies[one]])),
  peerDependenciesMeta: Object.fromEntries(ON_REQUEST.map((one) => [one, { optional: true }])),
});

/**
 * Returns the dependencies of the package. `folder`: its compiled modules, whose imports decide them. Their versions
 * are those of this repository.
 * @throws UserError if package.json of the repository lacks an imported package
 */
export function dependenciesOf(described: Manifest, folder: string): Names {
  const versions = { ...described.devDependencies, ...described.dependencies };
  const needed = [...new Set([...NOT_IMPORTED, ...packagesIn(folder)])].filter(
    (one) => one !== described.name && !ON_REQUEST.includes(one),
  );
  return Object.fromEntries(
    needed.sort().map((one) => {
      const pinned = versions[one];
      if (pinned === undefined)
        throw new UserError(`package.json has no package ${one}, which the package imports.`);
      return [one, pinned];
    }),
  );
}

const compiled = (path: string): string => path.replace(/\.ts$/, '.js');

const mapped = <Value>(names: Names, fileOf: (path: string) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(names).map(([key, path]) => [key, fileOf(path)]));

const IMPORT =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)|^import ['"]([^'"]+)['"]/gm;

/** Returns the packages that the compiled modules import, without those of Node. */
function packagesIn(folder: string): string[] {
  const names = globSync('**/*.js', { cwd: folder, exclude: ['functions/site/assets/**'] }).flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(IMPORT)].map(([, a, b, c]) => a ?? b ?? c ?? ''),
  );
  return names
    .filter((one) => !/^[.#]|^node:/.test(one) && !builtinModules.includes(one))
    .map((one) =>
      one
        .split('/')
        .slice(0, one.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}
