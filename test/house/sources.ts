import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

const IMPORT =
  /(?:(?:^|;)\s*(?:import|export)\b[^;'"`()=]*?\bfrom\s*|(?:^|;)\s*import\s*|\bimport\(\s*)'([^'\n]+)'/gm;

const TYPES_ALONE = /^\s*;?\s*(?:import|export) (?:type\b|\{(?:\s*type \w+(?: as \w+)?,?)+\s*\})/;

/** Comments, strings and regular expressions. */
const NO_CODE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=[=(,:!&|?{};>]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;

/** A module of the project. Paths are from the project's directory, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** The text with comments, strings and regular expressions blanked; its lines are where they were. */
  readonly code: string;
  /** What it imports: paths within the project, names of packages, `node:` modules. */
  readonly imports: readonly string[];
  /** Those of them that are there when it runs: not for a type alone. */
  readonly needs: readonly string[];
}

/** Commands with packages of their own: benchmarks, and the checks that others wrote. */
export const APART = ['tools/bench', 'tools/suites'];

/** The folders with modules. */
export const ROOTS = ['functions', 'shared', 'infra', 'engines', 'local', 'openapi', 'tools', 'test'];

/** Everything the project's compiler sees, but for those. */
export const sources: readonly Source[] = ROOTS.flatMap(modulesIn);

/** The modules below one of these folders. */
export const below = (...folders: readonly string[]): Source[] =>
  sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** Written by a program. */
export const isGenerated = ({ path }: Source): boolean => path.includes('.generated.');

/** `path:line: text` for each line of the code that the pattern finds. */
export function linesWith({ path, text, code }: Source, pattern: RegExp): string[] {
  const written = text.split('\n');
  return code
    .split('\n')
    .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${written[at]?.trim()}`] : []));
}

function modulesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', '.venv'].includes(entry.name) || APART.includes(path) ? [] : modulesIn(path);
    if (!/\.m?[jt]s$/.test(path)) return [];
    const text = readFileSync(join(ROOT, path), 'utf8');
    return [{ path, text, code: codeOf(text), ...importsOf(path, text) }];
  });
}

/** Types count as imports too: whoever knows the shape of another layer depends on it. */
function importsOf(path: string, text: string): Pick<Source, 'imports' | 'needs'> {
  const all = [...text.matchAll(IMPORT)].map(([statement, name = '']) => ({
    name: name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(path), name)) : name,
    forTypes: TYPES_ALONE.test(statement),
  }));
  const named = (some: typeof all) => some.map(({ name }) => name);
  return { imports: named(all), needs: named(all.filter(({ forTypes }) => !forTypes)) };
}

function codeOf(text: string): string {
  return text.replace(NO_CODE, (blanked) => blanked.replace(/[^\n]/g, ' '));
}
