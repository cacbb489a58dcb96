import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { listedIn, withoutResources } from './registry.ts';

/** The resources that show what the project can do. The others are parts of every service. */
const EXAMPLES = ['members', 'customers', 'orders', 'products'];

/** True if this is the whole project: some tools measure its examples. */
export const hasExamples = (root: string): boolean =>
  EXAMPLES.every((name) => existsSync(join(root, 'functions', name)));

/** Finds names of resources in the code of a test: as a text, or in a path. */
const naming = (names: readonly string[]) => new RegExp(`['"\`/.](?:${names.join('|')})(?![a-zA-Z])`);
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Tests that need the examples although `naming` does not find them: of documents, of names and of permissions. */
const OF_EXAMPLES = [
  ...['readme', 'tour', 'requests', 'resources', 'specification', 'cost'].map(
    (name) => `test/docs/${name}.test.ts`,
  ),
  'test/infra/functions/events.test.ts',
  'test/infra/stores/uploads.test.ts',
  'test/openapi/names.test.ts',
  'test/sam/judge.test.ts',
];

const IMPORT = /(?:from|import)\s*\(?'(\.[^']+)'/g;

/** A module of the folder `test`, by its path: whether it names an example, and the modules that it imports. */
type Modules = ReadonlyMap<string, { readonly isNaming: boolean; readonly imports: readonly string[] }>;

function modulesOf(root: string, names: readonly string[]): Modules {
  const named = naming(names);
  const paths = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join('test', path.replaceAll('\\', '/')))
    .filter((path) => /\.m?[jt]s$/.test(path));
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map(([, name = '']) => posix.join(dirname(path), name));
      const isNaming = OF_EXAMPLES.includes(path) || named.test(text.replace(COMMENTS, ''));
      return [path, { isNaming, imports }] as const;
    }),
  );
}

/** The modules of `test` that name an example, and those that import one of them or a module of an example. */
export function testsOfExamples(modules: Modules, names: readonly string[] = EXAMPLES): string[] {
  const found = new Set([...modules].filter(([, { isNaming }]) => isNaming).map(([path]) => path));
  const isOfExample = (path: string) =>
    found.has(path) || names.some((name) => path.startsWith(`functions/${name}/`));
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [path, { imports }] of modules) if (imports.some(isOfExample)) found.add(path);
  }
  return [...found].sort();
}

/**
 * Removes all example resources below `root`: their folders, their lines in the registry, and the tests that use them.
 * Returns the removed paths.
 */
export function removeExamples(root: string): string[] {
  const removed = [
    ...testsOfExamples(modulesOf(root, EXAMPLES)),
    ...EXAMPLES.map((name) => `functions/${name}`),
  ];
  for (const path of removed) rmSync(join(root, path), { recursive: true });
  const registry = join(root, 'functions/registry.ts');
  writeFileSync(registry, withoutResources(readFileSync(registry, 'utf8'), EXAMPLES));
  return removed;
}

/**
 * Removes the files that a merge brings back of examples that the service below `root` does not have. `registry`: the
 * text of the registry before the merge. `merged`: the paths that the merge adds or changes. Returns the removed paths.
 */
export function removeMergedExamples(root: string, registry: string, merged: readonly string[]): string[] {
  const listed = listedIn(registry);
  const gone = EXAMPLES.filter((name) => !listed.includes(name));
  if (gone.length === 0) return [];
  const tests = new Set(testsOfExamples(modulesOf(root, gone), gone));
  const removed = merged.filter(
    (path) => tests.has(path) || gone.some((name) => path.startsWith(`functions/${name}/`)),
  );
  for (const path of removed) rmSync(join(root, path), { force: true });
  return removed;
}
