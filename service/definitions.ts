import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isResource, type Resource } from '../shared/resource/resource.ts';
import { isSchedule, type Schedule } from '../shared/resource/schedule.ts';
import { HAS_FILES } from './about.ts';
import { moduleAt, SERVICE } from './folders.ts';

/** A resource that a file of the service exports. */
export type Defined = Exported & { readonly resource: Resource };

/** A schedule that a file of the service exports. */
export type DefinedSchedule = Exported & { readonly schedule: Schedule };

/** What a file of the service exports. */
interface Exported {
  /** The path of the file. */
  readonly file: string;
  /** The name under which the file exports it. */
  readonly name: string;
}

const FOLDER = join(SERVICE, 'functions');
const MODULE = /^[^.]+\.(?:ts|js|mjs)$/;

/** The files of a service that does not define them itself, with other words. */
const FILES = moduleAt('functions/files');

/**
 * Loads the files of `functions`, in the order of their names, and finds the resources that they export.
 *
 * @throws Error with a sentence if there is no such folder, or with the path of the file that is wrong
 */
export async function definitions(): Promise<readonly Defined[]> {
  const found = (await exported()).filter((one) => 'resource' in one);
  const own = found.find(({ name }) => name === 'files');
  if (own && !HAS_FILES)
    throw new Error(`${pathOf(own.file)}: package.json says "files": false. Remove one of them.`);
  const files = own || !HAS_FILES ? [] : await definedIn(FILES);
  return [...found, ...files.filter((one) => 'resource' in one)];
}

/** Finds the schedules of these files. @throws as `definitions` */
export const scheduleDefinitions = async (): Promise<readonly DefinedSchedule[]> =>
  (await exported()).filter((one) => 'schedule' in one);

async function exported(): Promise<(Defined | DefinedSchedule)[]> {
  if (!existsSync(FOLDER)) throw new Error(`${SERVICE} has no folder functions: run npx resource-api init.`);
  const files = readdirSync(FOLDER)
    .filter((name) => MODULE.test(name))
    .sort();
  return (await Promise.all(files.map((name) => definedIn(join(FOLDER, name))))).flat();
}

async function definedIn(file: string): Promise<(Defined | DefinedSchedule)[]> {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href).catch(
    (error) => {
      throw located(error, FOLDER);
    },
  );
  const found = Object.entries(exported).flatMap(([name, value]): (Defined | DefinedSchedule)[] => {
    if (isResource(value)) return [{ file, name, resource: value }];
    return isSchedule(value) ? [{ file, name, schedule: value }] : [];
  });
  if (found.length === 0)
    throw new Error(`${pathOf(file)}: export a resource or a schedule, or move the file out of this folder.`);
  return found;
}

/** Returns the path of a file of the service, as messages name it. */
const pathOf = (file: string): string => relative(SERVICE, file);

/**
 * Returns an error that begins with the file and the line in this folder that cause it. That file can be one that the
 * loaded file imports. Any other error stays as it is.
 */
export function located(error: Error, folder: string): Error {
  const stack = error.stack ?? '';
  // Node names a file by its path where it cannot read the syntax or finds no module, and elsewhere by its URL.
  const [, frame = ''] = stack.split(`${pathToFileURL(folder).href}/`);
  const [, path = ''] = stack.split(`${folder}/`);
  const [place] = /^[^:\s]+:[0-9]+/.exec(frame || path) ?? [];
  const [, missing = '', from = ''] =
    /^Cannot find module '(.+)' imported from (.+)$/.exec(error.message) ?? [];
  if (from.startsWith(`${folder}/`) && existsSync(`${missing}.ts`))
    return new Error(
      `functions/${relative(folder, from)}: an import names its file with the ending: ${basename(missing)}.ts`,
      { cause: error },
    );
  const [, remedy = ''] = REMEDIES.find(([cause]) => cause.test(error.message)) ?? [];
  return place ? new Error(`functions/${place}: ${error.message}${remedy}`, { cause: error }) : error;
}

/** What to do about errors of Node. */
const REMEDIES: readonly (readonly [cause: RegExp, remedy: string])[] = [
  // Two files import each other.
  [/before initialization$/, ". Refer to the other by name: reference('…')"],
  [/^TypeScript enum /, ". List the texts: text({ choices: ['open', 'closed'] })"],
];
