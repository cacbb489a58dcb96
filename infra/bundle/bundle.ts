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
  absWorkingDir: root,
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/lambda-credentials.ts'),
    '@smithy/core/event-streams': join(root, 'infra/bundle/no-event-streams.ts'),
  },
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
  '#bulk': ['bulkActions', 'bulkChecks', 'nestedBulkActions'],
  '#deferral': ['defer', 'waiting'],
  '#files': ['readFiles'],
  '#inputs': ['putInput'],
  '#pages': ['page'],
  '#patches': ['readPatch'],
  '#uploads': ['announced'],
  '@fastify/busboy': ['Dicer'],
  saxes: ['SaxesParser'],
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