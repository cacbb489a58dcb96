import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Where what is deployed is built. */
export const BUILD = join(root, '.build');

/**
 * Bundles are CommonJS: an ES module that imports node:http takes 27 ms to load on Node 24, a required one 3 ms.
 * They hold the SDK: the copy that Lambda brings drifts.
 */
export const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  sourcemap: false,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  absWorkingDir: root,
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/lambda-credentials.ts'),
    '@smithy/core/event-streams': join(root, 'infra/bundle/no-event-streams.ts'),
  },
  metafile: true,
  logLevel: 'warning',
};

/**
 * What the code imports only when a request needs it: packages, and our own modules under a name of package.json's
 * `imports`. It stands beside the bundle, so that a cold start neither reads nor compiles it. Each with the names that
 * are imported from it: Node finds the names of a CommonJS module only where they are spelled out.
 *
 * Source: Node.js, "Subpath imports".
 */
export const ON_DEMAND: Readonly<Record<string, readonly string[]>> = {
  '#inputs': ['getInput', 'putInput', 'removeInput'],
  '#pages': ['page'],
  '#queue': ['postpone', 'sendOperation'],
  '@fastify/busboy': ['Dicer'],
  saxes: ['SaxesParser'],
};

export interface Bundle {
  /** The directory that is deployed, with index.js in it. */
  readonly directory: string;
  /** Of index.js, which every cold start loads. */
  readonly bytes: number;
  /** Packages beside it, loaded when needed. */
  readonly onDemand: readonly string[];
  readonly metafile: Metafile;
}

/** Bundles the handler of a resource into `{directory}/{resource}/index.js`. */
export const bundle = (resource: string, directory = BUILD): Bundle =>
  bundleInto(join(directory, resource), `functions/${resource}/handler.ts`);

/** Bundles a module and what it loads on demand into a directory. */
export function bundleInto(directory: string, entryPoint: string): Bundle {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const outfile = join(directory, 'index.js');
  const external = Object.keys(ON_DEMAND);
  const { metafile } = buildSync({ ...OPTIONS, entryPoints: [entryPoint], outfile, external });
  const [output] = Object.values((metafile as Metafile).outputs);
  const onDemand = external.filter((name) => output?.imports.some(({ path }) => path === name));
  for (const name of onDemand) besides(name, directory);
  return { directory, bytes: output?.bytes ?? 0, onDemand, metafile: metafile as Metafile };
}

/** Puts a module, bundled into one file, where the function's own import finds it. */
function besides(name: string, target: string): void {
  const names = (ON_DEMAND[name] ?? []).join(', ');
  const stdin = { contents: `export { ${names} } from '${name}';`, resolveDir: root };
  const own = name.startsWith('#');
  const directory = own ? target : join(target, 'node_modules', name);
  const file = own ? `${name.slice(1)}.js` : 'index.js';
  buildSync({ ...OPTIONS, stdin, outfile: join(directory, file) });
  const manifest = own ? { imports: { [name]: `./${file}` } } : { name, main: file };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
}
