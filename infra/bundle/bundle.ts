import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { MAPS, moduleAt, PACKAGE } from '../../service/folders.ts';
import { mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { changesFunction } from '../../shared/events/changes.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { type Schedule, scheduleFunction } from '../../shared/resource/schedule.ts';
import { entryOf, isWritten, modulesFor } from './modules.ts';

/** The names of the functions with a handler of their own. */
const WITH_HANDLER: readonly string[] = globSync('functions/*/handler.{ts,js}', { cwd: PACKAGE }).map(
  (path) => basename(dirname(path)),
);

/** Returns the names of all functions: of the background, of resources, of `onChange` and of schedules. */
export const functionsOf = (
  registry: readonly Resource[],
  schedules: readonly Schedule[],
): readonly string[] => [
  ...WITH_HANDLER,
  ...registry.map(({ name }) => name),
  ...registry.filter(({ onChange }) => onChange).map(changesFunction),
  ...schedules.map(scheduleFunction),
];

/** Bundles contain the AWS SDK, because the copy in the Lambda runtime changes over time. */
const INPUT: InputOptions = {
  cwd: PACKAGE,
  platform: 'node',
  resolve: {
    mainFields: ['module', 'main'],
    conditionNames: ['node', 'module'],
    alias: {
      '@aws-sdk/credential-provider-node': moduleAt('infra/bundle/lambda-credentials'),
      '@smithy/core/event-streams': moduleAt('infra/bundle/no-event-streams'),
    },
  },
  // `debug`, which file-type needs, colors its output if this package happens to be installed.
  external: ['supports-color'],
  // index.js also exports what the other files take from it.
  preserveEntrySignatures: 'allow-extension',
  // The worker loads at its start what other functions load on demand.
  checks: { ineffectiveDynamicImport: false },
};

/**
 * Bundles are CommonJS. On Node 24, an ES module that imports node:http takes 27 ms to load, and a CommonJS module 3
 * ms. All modules that a handler imports statically are in index.js. Without this group they would be in 24 files.
 */
const OUTPUT: OutputOptions = {
  format: 'cjs',
  minify: true,
  // Beside the assets: a map in a function would cost each cold start.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
  chunkFileNames: '[name].js',
  codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] },
};

/** A JavaScript file of a bundle. */
export interface Chunk {
  readonly file: string;
  readonly bytes: number;
  /** Every cold start loads this file. If false, only the requests that need it load it. */
  readonly isStatic: boolean;
  /** Paths of its modules, relative to the project's directory. */
  readonly modules: readonly string[];
}

export interface Bundle {
  /** The directory to deploy. It contains index.js. */
  readonly directory: string;
  /** Size of index.js and of the files that it loads at once. Every cold start loads them. */
  readonly bytes: number;
  /** Size of all JavaScript files. */
  readonly allBytes: number;
  readonly chunks: readonly Chunk[];
}

/** What a measurement changes: `alias` replaces modules by others, `isSplit`: false for one file with all modules. */
export interface Changes {
  readonly alias?: Readonly<Record<string, string>>;
  readonly isSplit?: boolean;
}

/** Bundles a function into `{directory}/{name}`. */
export const bundle = (name: string, directory: string): Promise<Bundle> =>
  bundleInto(join(directory, name), entryOf(name));

/**
 * Bundles a module into a directory. Each dynamic import leads to a file of its own, and files share the modules that
 * several of them need. The directory therefore contains each module once.
 */
export async function bundleInto(
  directory: string,
  entryPoint: string,
  { alias, isSplit = true }: Changes = {},
): Promise<Bundle> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const rules = alias ? { ...INPUT.resolve, alias: { ...alias } } : INPUT.resolve;
  const index = isWritten(entryPoint) ? entryPoint : resolve(PACKAGE, entryPoint);
  const build = await rolldown({ ...INPUT, plugins: [modulesFor(index)], resolve: rules, input: { index } });
  try {
    const codeSplitting = isSplit && OUTPUT.codeSplitting;
    const { output } = await build.write({ ...OUTPUT, codeSplitting, dir: directory });
    const maps = join(dirname(directory), MAPS, basename(directory));
    rmSync(maps, { recursive: true, force: true });
    mkdirSync(maps, { recursive: true });
    for (const { fileName } of output.filter(
      (file) => file.type === 'asset' && file.fileName.endsWith('.map'),
    ))
      renameSync(join(directory, fileName), join(maps, fileName));
    // A directory inside of this project would otherwise contain ES modules.
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'commonjs' }));
    const chunks = chunksOf(output.filter((file) => file.type === 'chunk'));
    const bytesOf = (all: readonly Chunk[]) => all.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      directory,
      bytes: bytesOf(chunks.filter(({ isStatic }) => isStatic)),
      allBytes: bytesOf(chunks),
      chunks,
    };
  } finally {
    await build.close();
  }
}

/** How many functions are bundled at the same time. Two need 570 MB of memory, all of them 1.5 GB. */
const AT_ONCE = 2;

/** Bundles functions into `{directory}/{name}`. */
export const bundleAll = (directory: string, names: readonly string[]): Promise<readonly Bundle[]> =>
  mapConcurrently(AT_ONCE, names, (name) => bundle(name, directory));

function chunksOf(output: readonly OutputChunk[]): Chunk[] {
  const files = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file) || !files.has(file)) return;
    loaded.add(file);
    for (const needed of files.get(file)?.imports ?? []) load(needed);
  };
  load('index.js');
  return output.map(({ fileName, code, modules }) => ({
    file: fileName,
    bytes: Buffer.byteLength(code),
    isStatic: loaded.has(fileName),
    modules: Object.keys(modules)
      .filter((id) => !id.startsWith('\0'))
      .map((id) => relative(PACKAGE, id)),
  }));
}
