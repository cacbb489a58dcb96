import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isResource, type Resource } from '../shared/resource/resource.ts';
import { HAS_FILES } from './about.ts';
import { moduleAt, SERVICE } from './folders.ts';

/** A resource that a file of the service exports. */
export interface Defined {
  /** The path of the file. */
  readonly file: string;
  /** The name under which the file exports it. */
  readonly name: string;
  readonly resource: Resource;
}

const FOLDER = join(SERVICE, 'functions');
const MODULE = /^[^.]+\.(?:ts|js|mjs)$/;

/** The files of a service that does not define them itself, with other words. */
const FILES = moduleAt('functions/files');

/**
 * Loads the files of `functions`, in the order of their names, and finds the resources that they export.
 *
 * @throws Error if there is no such folder, if a file exports no resource, or if one defines files that package.json denies
 */
export async function definitions(): Promise<readonly Defined[]> {
  if (!existsSync(FOLDER)) throw new Error(`${SERVICE} has no folder functions: run npx resource-api init.`);
  const files = readdirSync(FOLDER)
    .filter((name) => MODULE.test(name))
    .sort();
  const found = (await Promise.all(files.map((name) => resourcesIn(join(FOLDER, name))))).flat();
  const own = found.find(({ name }) => name === 'files');
  if (own && !HAS_FILES)
    throw new Error(`${own.file} defines files, and package.json has "files": false. Remove one of them.`);
  return own || !HAS_FILES ? found : [...found, ...(await resourcesIn(FILES))];
}

async function resourcesIn(file: string): Promise<Defined[]> {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
  const found = Object.entries(exported).flatMap(([name, value]) =>
    isResource(value) ? [{ file, name, resource: value }] : [],
  );
  if (found.length === 0) throw new Error(`${file}: export a resource, or move the file out of this folder.`);
  return found;
}
