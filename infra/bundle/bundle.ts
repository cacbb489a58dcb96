import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/**
 * Bundles are CommonJS: an ES module that imports node:http takes 27 ms to load on Node 24, a required one 3 ms.
 * They hold the SDK: the copy that Lambda brings drifts.
 */
const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  sourcemap: false,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  absWorkingDir: root,
  alias: { '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/lambda-credentials.ts') },
  metafile: true,
  logLevel: 'warning',
};

export interface Bundle {
  /** The directory that is deployed, with index.js in it. */
  readonly directory: string;
  readonly bytes: number;
  readonly metafile: Metafile;
}

/** Bundles the handler of a resource into `{directory}/{resource}/index.js`. */
export function bundle(resource: string, directory = join(root, '.build')): Bundle {
  const target = join(directory, resource);
  mkdirSync(target, { recursive: true });
  const outfile = join(target, 'index.js');
  const { metafile } = buildSync({ ...OPTIONS, entryPoints: [`functions/${resource}/handler.ts`], outfile });
  const [output] = Object.values((metafile as Metafile).outputs);
  return { directory: target, bytes: output?.bytes ?? 0, metafile: metafile as Metafile };
}
