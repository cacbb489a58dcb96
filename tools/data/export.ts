import { appendFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { namedKeys } from '../../shared/store/form/binary-attributes.ts';
import { imageIn, VERSIONS_TABLE } from '../../shared/store/history/versions-table.ts';
import { isItem } from '../../shared/store/items/read-items.ts';
import { UserError } from '../user-error.ts';
import { Checkpoint } from './checkpoint.ts';
import { type ExportedObject, lineOf } from './lines.ts';
import { download, objectKeys } from './objects.ts';

/** Exports the items and files of a service into a folder. */

/**
 * The export of one file so far. `length`: the bytes of its lines. `next`: the key before the next page; without
 * it, the export is complete. `bytes`: the bytes of all objects.
 */
interface Progress {
  readonly table: string;
  readonly items: number;
  readonly objects: number;
  readonly bytes: number;
  readonly length: number;
  readonly next?: Attributes | undefined;
  readonly isComplete: boolean;
}

type State = Readonly<Record<string, Progress>>;

const isState = (value: unknown): value is State =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one: Partial<Progress>) => typeof one.length === 'number');

/** Returns the lines of a resource in an export, or those of the earlier versions of its items. */
export const linesOf = (directory: string, { name }: Pick<Resource, 'name'>): string =>
  join(directory, `${name}.jsonl`);

/** Returns the name of the earlier versions of the items of a resource, as that of their lines. */
export const versionsOf = ({ name }: Resource) => ({ name: `${name}.versions` });

/** The rows of a table that have one file in an export. `keys`: those of the objects that belong to a row. */
interface Source {
  readonly name: string;
  readonly noun: 'items' | 'versions';
  readonly table: string;
  readonly has: (row: Attributes) => boolean;
  readonly keys: (row: Attributes) => readonly string[];
}

/** Returns the items of a resource, and the earlier versions of all its items, also of removed ones. */
function sourcesOf(resource: Resource, history: boolean): Source[] {
  const items: Source = {
    name: resource.name,
    noun: 'items',
    table: config.tableName(resource.name),
    has: isItem,
    keys: (item) => objectKeys(resource, item),
  };
  if (!history || !resource.history) return [items];
  const versions: Source = {
    ...versionsOf(resource),
    noun: 'versions',
    table: config.tableName(VERSIONS_TABLE.name),
    has: (row) => row[VERSIONS_TABLE.key]?.S?.startsWith(`/${resource.name}/`) === true,
    keys: (row) => namedKeys(imageIn(row)),
  };
  return [items, versions];
}

/**
 * Writes the items of these resources into a directory, each with the bytes that belong to it. `history`: also the
 * earlier versions of the items. A killed export continues after its last whole page. Each item is as last written when
 * its page was read.
 *
 * @throws UserError if the directory has an export of other tables, or a complete one
 */
export async function exportItems(
  {
    directory,
    resources,
    history,
  }: { readonly directory: string; readonly resources: readonly Resource[]; readonly history: boolean },
  report: (line: string) => void,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const checkpoint = new Checkpoint<State>(join(directory, 'export.json'));
  let state = checkpoint.read(isState) ?? {};
  const sources = resources.flatMap((resource) => sourcesOf(resource, history));
  if (sources.every(({ name }) => state[name]?.isComplete))
    throw new UserError(`${directory} has a complete export: choose another directory`);
  for (const source of sources) {
    const { name, noun, table } = source;
    const before = state[name];
    if (before && before.table !== table)
      throw new UserError(
        `${directory} has an export of the table ${before.table}: choose another directory`,
      );
    for await (const progress of pages(directory, source, before ?? begin(table))) {
      state = { ...state, [name]: progress };
      checkpoint.save(state);
    }
    const { items = 0, objects = 0, bytes = 0 } = state[name] ?? {};
    report(`${name}: ${items} ${noun}, ${objects} objects with ${bytes} bytes`);
  }
}

const begin = (table: string): Progress => ({
  table,
  items: 0,
  objects: 0,
  bytes: 0,
  length: 0,
  isComplete: false,
});

async function* pages(directory: string, source: Source, from: Progress): AsyncGenerator<Progress> {
  const file = linesOf(directory, source);
  if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600 });
  // A killed process may have written lines after its last checkpoint.
  truncateSync(file, from.length);
  for (let progress = from; !progress.isComplete; ) {
    const { Items = [], LastEvaluatedKey: next } = await dynamoDb().send(
      new ScanCommand({ TableName: progress.table, ExclusiveStartKey: progress.next, ConsistentRead: true }),
    );
    const items = Items.filter(source.has);
    const lines = await mapConcurrently(CONCURRENCY.files, items, async (item) => ({
      item,
      objects: await objectsOf(directory, source.keys(item)),
    }));
    const text = lines.map((line) => `${lineOf(line)}\n`).join('');
    appendFileSync(file, text);
    const objects = lines.flatMap((line) => line.objects);
    progress = {
      table: progress.table,
      items: progress.items + lines.length,
      objects: progress.objects + objects.length,
      bytes: objects.reduce((sum, { size }) => sum + size, progress.bytes),
      length: progress.length + Buffer.byteLength(text),
      next,
      isComplete: next === undefined,
    };
    yield progress;
  }
}

async function objectsOf(directory: string, keys: readonly string[]): Promise<ExportedObject[]> {
  const objects: ExportedObject[] = [];
  for (const key of keys) {
    const object = await download(key, directory);
    if (object) objects.push(object);
  }
  return objects;
}
