import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile, type OutputFile } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Directory of the bundles. */
export const BUILD = join(root, '.build');

/**
 * Bundles are CommonJS. On Node 24, an ES module that imports node:http takes 27 ms to load, and a CommonJS module 3
 * ms. Bundles contain the AWS SDK, because the copy in the Lambda runtime changes over time.
 */
export const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  sourcemap: false,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  conditions: ['module'],
  absWorkingDir: root,
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/lambda-credentials.ts'),
    '@smithy/core/event-streams': join(root, 'infra/bundle/no-event-streams.ts'),
  },
  // `debug`, which file-type needs, colors its output if this package happens to be installed.
  external: ['supports-color'],
  metafile: true,
  logLevel: 'warning',
};

/**
 * Modules that the code imports only when a request needs them: packages, and own modules under a name in `imports`
 * of package.json. Each has its own file beside the bundle, so a cold start neither reads nor compiles it.
 *
 * The value lists the imported names. Node detects the exports of a CommonJS module only if the code spells them out.
 *
 * Source: Node.js, "Subpath imports".
 */
export const ON_DEMAND: Readonly<Record<string, readonly string[]>> = {
  '#binaries': ['store', 'read', 'discard'],
  '#bulk': ['bulkActions', 'bulkChecks', 'nestedBulkActions'],
  '#constraints': ['plan'],
  '#csv': ['readCsv'],
  '#deferral': ['accept', 'waitForEnd'],
  '#digests': ['verifyDigests'],
  '#files': ['readFiles'],
  '#forms': ['readForm'],
  '#inputs': ['getInput', 'putInput'],
  '#field-limits': ['limitsOf'],
  '#media-types': ['inferredType'],
  '#pages': ['formDocument', 'page'],
  '#patches': ['readPatch'],
  '#queue': ['sendRemoved'],
  '#renewal': ['renewed'],
  '#signin': ['begin', 'end', 'finish'],
  '#uploads': ['announced'],
  '#xml': ['readXml'],
  '@fastify/busboy': ['Dicer'],
  saxes: ['SaxesParser'],
  'structured-headers': ['parseDictionary', 'parseItem'],
};

const { imports: IMPORTS } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};

export interface Bundle {
  /** The directory to deploy. It contains index.js. */
  readonly directory: string;
  /** Size of index.js, which every cold start loads. */
  readonly bytes: number;
  /** Names from ON_DEMAND that have a file beside index.js. */
  readonly onDemand: readonly string[];
  readonly metafile: Metafile;
}

/** Bundles the handler of a resource into `{directory}/{resource}/index.js`. */
export const bundle = (resource: string, directory = BUILD): Bundle =>
  bundleInto(join(directory, resource), `functions/${resource}/handler.ts`);

/** Bundles a module, and the modules that it loads on demand, into a directory. */
export function bundleInto(directory: string, entryPoint: string): Bundle {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const outfile = join(directory, 'index.js');
  const { metafile, needed, code } = built({ entryPoints: [entryPoint], outfile });
  writeFileSync(outfile, code);
  const onDemand = new Set<string>();
  // A module that is loaded on demand can itself load others on demand.
  for (const waiting = [...needed]; waiting.length > 0; ) {
    const name = waiting.pop() as string;
    if (onDemand.has(name)) continue;
    onDemand.add(name);
    waiting.push(...writeOnDemand(name, directory));
  }
  const names = Object.keys(ON_DEMAND).filter((name) => onDemand.has(name));
  const own = names.filter(isOwn).map((name) => [name, `./${fileOf(name)}`]);
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ imports: Object.fromEntries(own) }));
  const [output] = Object.values(metafile.outputs);
  return { directory, bytes: output?.bytes ?? 0, onDemand: names, metafile };
}

const isOwn = (name: string): boolean => name.startsWith('#');
const fileOf = (name: string): string => `${name.slice(1)}.js`;

/**
 * Bundles into one file. `needed` lists the modules that it loads on demand. `own` is the on-demand module to bundle,
 * if any.
 */
function built(
  options: BuildOptions,
  own?: string,
): { metafile: Metafile; needed: string[]; code: Uint8Array } {
  const later = Object.keys(ON_DEMAND).filter((name) => name !== own);
  const external = [...(OPTIONS.external ?? []), ...later];
  const result = buildSync({ ...OPTIONS, ...options, external, metafile: true, write: false });
  const { metafile, outputFiles } = result;
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const needed = later.filter((name) => imports.some(({ path }) => path === name));
  return { metafile, needed, code: (outputFiles[0] as OutputFile).contents };
}

/** On-demand files are the same for all bundles, so they are built once. */
const builtOnDemand = new Map<string, ReturnType<typeof built>>();

function madeFor(name: string): ReturnType<typeof built> {
  const names = (ON_DEMAND[name] ?? []).join(', ');
  const contents = `export { ${names} } from '${isOwn(name) ? IMPORTS[name] : name}';`;
  const stdin = { contents, resolveDir: root };
  const one = builtOnDemand.get(name) ?? built({ stdin, outfile: 'index.js' }, name);
  builtOnDemand.set(name, one);
  return one;
}

/**
 * Writes the on-demand file of a module to the path where the function's import finds it. Returns the modules that
 * this module in turn loads on demand.
 */
function writeOnDemand(name: string, target: string): string[] {
  const { code, needed } = madeFor(name);
  if (isOwn(name)) {
    writeFileSync(join(target, fileOf(name)), code);
    return needed;
  }
  const directory = join(target, 'node_modules', name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.js'), code);
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
  return [];
}
