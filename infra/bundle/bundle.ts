import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '../..');

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
 * Packages that the code imports only when a request needs them. They stand beside the bundle, in its node_modules, so
 * that a cold start neither reads nor compiles them. Each with the names that are imported from it: Node finds the names
 * of a CommonJS module only where they are spelled out.
 */
export const ON_DEMAND: Readonly<Record<string, readonly string[]>> = {
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
export function bundle(resource: string, directory = join(root, '.build')): Bundle {
  const target = join(directory, resource);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const outfile = join(target, 'index.js');
  const entryPoints = [`functions/${resource}/handler.ts`];
  const { metafile } = buildSync({ ...OPTIONS, entryPoints, outfile, external: Object.keys(ON_DEMAND) });
  const [output] = Object.values((metafile as Metafile).outputs);
  const onDemand = Object.keys(ON_DEMAND).filter((name) => output?.imports.some(({ path }) => path === name));
  for (const name of onDemand) besides(name, join(target, 'node_modules', name));
  return { directory: target, bytes: output?.bytes ?? 0, onDemand, metafile: metafile as Metafile };
}

/** Puts a package, bundled into one file, where the function's own import finds it. */
function besides(name: string, directory: string): void {
  const names = (ON_DEMAND[name] ?? []).join(', ');
  const stdin = { contents: `export { ${names} } from '${name}';`, resolveDir: root };
  buildSync({ ...OPTIONS, stdin, outfile: join(directory, 'index.js') });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
}
