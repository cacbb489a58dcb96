import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { Obstacle } from '../obstacle.ts';

type Names = Readonly<Record<string, string>>;

/** The part of package.json that the package needs. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly sideEffects?: boolean;
  readonly exports: Names;
  readonly imports: Names;
  readonly engines: Names;
  readonly dependencies: Names;
  readonly devDependencies: Names;
  readonly optionalDependencies: Names;
}

/** Packages that a service needs and no module imports: commands and types. */
const NOT_IMPORTED = ['@types/node', 'aws-cdk', 'typescript'];

/**
 * The package.json of the package. `bin`: the module of its command. `folder`: the compiled modules, whose imports
 * decide the dependencies. Their versions are those of this repository.
 * @throws Obstacle if package.json of the repository lacks an imported package
 */
export function manifestOf(described: Manifest, bin: string, folder: string) {
  const { name, version, description, license, sideEffects, engines, optionalDependencies } = described;
  const versions = { ...described.devDependencies, ...described.dependencies };
  const needed = [...new Set([...NOT_IMPORTED, ...packagesIn(folder)])].filter((one) => one !== name).sort();
  const dependencies = needed.map((one) => {
    const pinned = versions[one];
    if (pinned === undefined)
      throw new Obstacle(`package.json has no package ${one}, which the package imports.`);
    return [one, pinned] as const;
  });
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    ...(sideEffects === undefined ? {} : { sideEffects }),
    engines,
    bin: { [name]: compiled(bin) },
    exports: mapped(described.exports, (path) =>
      path.endsWith('.ts') ? { types: path.replace(/\.ts$/, '.d.ts'), default: compiled(path) } : path,
    ),
    imports: mapped(described.imports, compiled),
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies,
  };
}

const compiled = (path: string): string => path.replace(/\.ts$/, '.js');

const mapped = <Value>(names: Names, fileOf: (path: string) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(names).map(([key, path]) => [key, fileOf(path)]));

const IMPORT =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)|^import ['"]([^'"]+)['"]/gm;

/** The packages that the compiled modules import, without those of Node. */
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
