import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

const IMPORT =
  /(?:(?:^|;)\s*(?:import|export)\b[^;'"`()=]*?\bfrom\s*|(?:^|;)\s*import\s*|\bimport\(\s*)'([^'\n]+)'/gm;

const TYPES_ALONE = /^\s*;?\s*(?:import|export) (?:type\b|\{(?:\s*type \w+(?: as \w+)?,?)+\s*\})/;

/** Comments, strings and regular expressions. */
const NO_CODE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=[=(,:!&|?{};>]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;

/** A module of the project. Paths are relative to the project's directory, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** The text with blanks for comments, strings and regular expressions. Lines keep their numbers. */
  readonly code: string;
  /** Its imports: paths within the project, names of packages, `node:` modules. */
  readonly imports: readonly string[];
  /** The imports that exist at run time, without those of types alone. */
  readonly needs: readonly string[];
}

/** The module behind the name of each package of this repository. */
const DOORS: Readonly<Record<string, string>> = {
  'create-resource-api': 'create/index.ts',
  'embedded-aws': 'engines/index.ts',
  'resource-api-client': 'client/index.ts',
};

/** The folders with modules. */
export const ROOTS = [
  'api',
  'client',
  'create',
  'functions',
  'service',
  'shared',
  'pages',
  'infra',
  'engines',
  'local',
  'openapi',
  'tools',
  'test',
];

/** True if the module is a test or supports tests: of the project, or of one of its packages. */
export const isTest = ({ path }: Pick<Source, 'path'>): boolean => /^(?:[a-z]+\/)?test\//.test(path);

/** All modules that the project's compiler checks. The laboratory has checks of its own. */
export const sources: readonly Source[] = ROOTS.flatMap(modulesIn);

/** The modules below one of these folders. */
export const below = (...folders: readonly string[]): Source[] =>
  sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** `path:line: text` for each line of code that matches the pattern. */
export function linesWith({ path, text, code }: Source, pattern: RegExp): string[] {
  const written = text.split('\n');
  return code
    .split('\n')
    .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${written[at]?.trim()}`] : []));
}

function modulesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', '.venv'].includes(entry.name) ? [] : modulesIn(path);
    if (!/\.m?[jt]s$/.test(path)) return [];
    const text = readFileSync(join(ROOT, path), 'utf8');
    return [{ path, text, code: codeOf(text), ...importsOf(path, text) }];
  });
}

/** The modules that `imports` of package.json names, by their names. */
const { imports: ALIASES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};

/** The path of an import within the project, also by a name of package.json. A package keeps its name. */
export const moduleOf = (name: string): string => (ALIASES[name] ?? name).replace(/^\.\//, '');

/** Imports of types count too, because they depend on the shape of another layer. */
function importsOf(path: string, text: string): Pick<Source, 'imports' | 'needs'> {
  const all = [...text.matchAll(IMPORT)].map(([statement, name = '']) => ({
    name: name.startsWith('.')
      ? posix.normalize(posix.join(posix.dirname(path), name))
      : (DOORS[name] ?? name),
    forTypes: TYPES_ALONE.test(statement),
  }));
  const named = (some: typeof all) => some.map(({ name }) => name);
  return { imports: named(all), needs: named(all.filter(({ forTypes }) => !forTypes)) };
}

function codeOf(text: string): string {
  return text.replace(NO_CODE, (blanked) => blanked.replace(/[^\n]/g, ' '));
}
