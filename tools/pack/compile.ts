import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PACKAGE } from '../../service/folders.ts';
import { UserError } from '../user-error.ts';

/**
 * Compiles modules and all that they import, with types. `root`: the folder of the package. `entries`: paths from there
 * on. `folder`: gets the compiled modules.
 * @throws UserError if the compiler finds an error
 */
export function compile(
  root: string,
  entries: readonly string[],
  folder: string,
  { sourceMap }: { readonly sourceMap: boolean },
): void {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    rootDir: root,
    outDir: folder,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    sourceMap,
    inlineSources: sourceMap,
    types: ['node', 'aws-lambda'],
    typeRoots: [join(PACKAGE, 'node_modules/@types')],
  };
  const files = entries.map((path) => resolve(root, path));
  const described = { extends: join(PACKAGE, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(config, JSON.stringify(described));
  try {
    execFileSync(process.execPath, [join(PACKAGE, 'node_modules/typescript/bin/tsc'), '-p', config], {
      stdio: ['ignore', 2, 2],
    });
  } catch {
    throw new UserError('The package cannot be compiled: see the errors above.');
  }
  rmSync(config);
  for (const path of globSync('**/*.js.map', { cwd: folder })) {
    const file = join(folder, path);
    writeFileSync(file, relocated(readFileSync(file, 'utf8')));
  }
}

/** Returns a source map without folders of this machine: the sources seem to be beside the modules. */
export function relocated(map: string): string {
  const { sources, ...others } = JSON.parse(map) as { readonly sources: readonly string[] };
  return JSON.stringify({ ...others, sourceRoot: '', sources: sources.map((path) => basename(path)) });
}
