const IMPORT = /^import \{ (\w+) \} from '\.\/\w+\/resource\.ts';\n/gm;
/** Characters of the list that Biome leaves on one line: 110 without `export const registry: ` and the semicolon. */
const LINE = 110 - 'export const registry: ;'.length;
const LIST = /readonly Resource\[\] = \[([^\]]*)\]/;

/** The resources in the text of functions/registry.ts, in their order. */
export const listedIn = (registry: string): string[] => LIST.exec(registry)?.[1]?.match(/\w+/g) ?? [];

/** Adds a resource to the text of functions/registry.ts: in front of the files, so that people see it with the others. */
export function withResource(registry: string, name: string): string {
  const listed = listedIn(registry);
  const at = listed.indexOf('files');
  return rewritten(registry, at < 0 ? [...listed, name] : listed.toSpliced(at, 0, name));
}

/** Removes resources from the text of functions/registry.ts. */
export const withoutResources = (registry: string, names: readonly string[]): string =>
  rewritten(
    registry,
    listedIn(registry).filter((one) => !names.includes(one)),
  );

/** Imports are in the order of their paths, as Biome wants them. */
function rewritten(registry: string, names: readonly string[]): string {
  const imports = [...names]
    .sort()
    .map((name) => `import { ${name} } from './${name}/resource.ts';\n`)
    .join('');
  const [first] = registry.match(IMPORT) ?? [''];
  const line = `readonly Resource[] = [${names.join(', ')}]`;
  const list = names.map((name) => `  ${name},\n`).join('');
  return registry
    .replace(first, () => `${first}\n`)
    .replace(IMPORT, '')
    .replace(/^\n/m, () => imports)
    .replace(LIST, () => (line.length < LINE ? line : `readonly Resource[] = [\n${list}]`));
}
