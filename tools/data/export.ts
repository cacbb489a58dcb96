/** Exports the items and files of a service into a folder. */

import { appendFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { CONCURRENCY, concurrently } from '../../shared/concurrency/concurrently.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { Obstacle } from '../obstacle.ts';
import { Checkpoint } from './checkpoint.ts';
import { type ExportedObject, lineOf } from './lines.ts';
import { download, objectKeys } from './objects.ts';
import { isItem } from './rows.ts';

/**
 * The export of one resource so far. `length`: the bytes of its lines. `next`: the key before the next page; without
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

/** The lines of a resource in an export. */
export const linesOf = (directory: string, { name }: Resource): string => join(directory, `${name}.jsonl`);

/**
 * Writes the items of these resources into a directory, each with the bytes that belong to it. A killed export
 * continues after its last whole page. Each item is as last written when its page was read.
 *
 * @throws Obstacle if the directory has an export of other tables, or a complete one
 */
export async function exportItems(
  directory: string,
  resources: readonly Resource[],
  report: (line: string) => void,
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const checkpoint = new Checkpoint<State>(join(directory, 'export.json'));
  let state = checkpoint.read(isState) ?? {};
  if (resources.every(({ name }) => state[name]?.isComplete))
    throw new Obstacle(`${directory} has a complete export: choose another directory`);
  for (const resource of resources) {
    const { name } = resource;
    const before = state[name];
    const table = config.tableName(name);
    if (before && before.table !== table)
      throw new Obstacle(`${directory} has an export of the table ${before.table}: choose another directory`);
    for await (const progress of pages(directory, resource, before ?? begin(table))) {
      state = { ...state, [name]: progress };
      checkpoint.save(state);
    }
    const { items = 0, objects = 0, bytes = 0 } = state[name] ?? {};
    report(`${name}: ${items} items, ${objects} objects with ${bytes} bytes`);
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

async function* pages(directory: string, resource: Resource, from: Progress): AsyncGenerator<Progress> {
  const file = linesOf(directory, resource);
  if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600 });
  // A killed process may have written lines after its last checkpoint.
  truncateSync(file, from.length);
  for (let progress = from; !progress.isComplete; ) {
    const { Items = [], LastEvaluatedKey: next } = await dynamoDb().send(
      new ScanCommand({ TableName: progress.table, ExclusiveStartKey: progress.next, ConsistentRead: true }),
    );
    const items = Items.filter(isItem);
    const lines = await concurrently(CONCURRENCY.files, items, async (item) => ({
      item,
      objects: await objectsOf(directory, resource, item),
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

async function objectsOf(directory: string, resource: Resource, item: Attributes): Promise<ExportedObject[]> {
  const objects: ExportedObject[] = [];
  for (const key of objectKeys(resource, item)) {
    const object = await download(key, directory);
    if (object) objects.push(object);
  }
  return objects;
}
