import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { CONCURRENCY, concurrently } from '../../shared/concurrency/concurrently.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { checkConstraints } from '../../shared/store/constraints/check-constraints.ts';
import { keeping, VERSIONS_TABLE } from '../../shared/store/history/kept-version.ts';
import { agree } from '../../shared/store/inventory/stored-inventory.ts';
import { fromAttributes, identifierOf, number, text } from '../../shared/store/items/attributes.ts';
import { readRows } from '../../shared/store/items/read-items.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { CREATED, VERSION, WRITE } from '../../shared/store/items/table.ts';
import { attributeNotExists, compare, conditionExpression } from '../../shared/store/write/expression.ts';
import { newWriteToken } from '../../shared/store/write/parts.ts';
import { insert } from '../../shared/store/write/transaction.ts';
import { Obstacle } from '../obstacle.ts';
import { Checkpoint } from './checkpoint.ts';
import { linesOf, versionsOf } from './export.ts';
import { importedAttributes } from './imported-attributes.ts';
import { type Line, readLine } from './lines.ts';
import { upload } from './objects.ts';
import { readLines } from './read-lines.ts';
import { forgetCounts } from './subscriptions/subscriptions.ts';

/** Imports an export into a service. */

/** How to import. `replaces`: the export wins over newer items. `events`: each imported item causes an event. */
export interface Import {
  readonly directory: string;
  readonly resources: readonly Resource[];
  readonly replaces: boolean;
  readonly events: boolean;
}

/**
 * Items by what happened to them. `newer`: the service has a newer version, which the import left. `shared`: the import
 * wrote the item, and another item has a unique value of it.
 */
interface Counts {
  readonly written: number;
  readonly present: number;
  readonly newer: number;
  readonly shared: number;
}

/** The import of one file so far. `position`: the bytes of the lines that are done. */
interface Progress extends Counts {
  readonly position: number;
  readonly lines: number;
}

/** An import into the tables and the bucket with these names, at this address of DynamoDB. */
interface State {
  readonly target: string;
  readonly resources: Readonly<Record<string, Progress>>;
}

const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && 'target' in value && 'resources' in value;

/** The number of items that an import reads and writes between two checkpoints. */
const BATCH = 100;

/**
 * Writes the items of an export into the tables, each after its bytes, and the earlier versions that the service lacks.
 * Identifiers, versions and times stay. A killed import continues after its last whole batch, and a repeated one writes
 * nothing. Returns how many newer items it left, and how many items share a unique value with another item.
 *
 * @throws Obstacle if a file is missing, or if a line is not from an export
 */
export async function importItems(
  wanted: Import,
  report: (line: string) => void,
): Promise<Pick<Counts, 'newer' | 'shared'>> {
  const { directory, resources } = wanted;
  const checkpoint = new Checkpoint<State>(join(directory, 'import.json'));
  const target = await targetOf(resources);
  const saved = checkpoint.read(isState);
  let state = saved?.target === target ? saved : { target, resources: {} };
  const sum = { newer: 0, shared: 0 };
  const all = async (source: Pick<Resource, 'name'>, write: WriteBatch): Promise<Progress> => {
    const { name } = source;
    let progress = state.resources[name] ?? START;
    for await (const after of batches(linesOf(directory, source), write, progress)) {
      progress = after;
      state = { target, resources: { ...state.resources, [name]: after } };
      checkpoint.save(state);
    }
    return progress;
  };
  for (const resource of resources) {
    const file = linesOf(directory, resource);
    if (!existsSync(file)) throw new Obstacle(`${file} is missing: name the resources to import`);
    const { written, present, newer, shared } = await all(resource, async (batch) => {
      const results = await writeBatch(wanted, resource, batch);
      for (const one of results)
        if (one.kind === 'shared') report(`${resource.name} ${one.id}: ${one.problem.detail}`);
      return results;
    });
    sum.newer += newer;
    sum.shared += shared;
    const conflicts = shared > 0 ? `, ${shared} share unique values` : '';
    report(`${resource.name}: ${written + shared} written, ${present} present, ${newer} newer${conflicts}`);
    const versions = versionsOf(resource);
    if (!resource.history || !existsSync(linesOf(directory, versions))) continue;
    const kept = await all(versions, (batch) =>
      concurrently(CONCURRENCY.files, batch, (line) => writeVersion(directory, line)),
    );
    report(`${versions.name}: ${kept.written} written, ${kept.present} present`);
  }
  if (resources.some(({ name }) => name === 'subscriptions')) await forgetCounts();
  checkpoint.remove();
  return sum;
}

const START: Progress = { position: 0, lines: 0, written: 0, present: 0, newer: 0, shared: 0 };

const targetOf = async (resources: readonly Resource[]): Promise<string> =>
  [
    process.env.AWS_ENDPOINT_URL_DYNAMODB ?? (await dynamoDb().config.region()),
    config.bucketName(),
    ...resources.map(({ name }) => config.tableName(name)),
  ].join(' ');

type WriteBatch = (batch: readonly Line[]) => Promise<readonly Result[]>;

async function* batches(file: string, write: WriteBatch, from: Progress): AsyncGenerator<Progress> {
  let progress = from;
  let batch: Line[] = [];
  let position = from.position;
  const done = async (): Promise<Progress> => {
    const results = await write(batch);
    const count = (result: keyof Counts) => results.filter(({ kind }) => kind === result).length;
    progress = {
      position,
      lines: progress.lines + batch.length,
      written: progress.written + count('written'),
      present: progress.present + count('present'),
      newer: progress.newer + count('newer'),
      shared: progress.shared + count('shared'),
    };
    batch = [];
    return progress;
  };
  for await (const { text, end } of readLines(file, from.position)) {
    batch.push(readLine(text, `${file}, line ${progress.lines + batch.length + 1},`));
    position = end;
    if (batch.length === BATCH) yield await done();
  }
  if (batch.length > 0) yield await done();
}

/** The result of the import of an item. */
type Result =
  | { readonly kind: Exclude<keyof Counts, 'shared'> }
  | { readonly kind: 'shared'; readonly id: number | string; readonly problem: Problem };

async function writeBatch(wanted: Import, resource: Resource, batch: readonly Line[]): Promise<Result[]> {
  const description = descriptionOf(resource);
  const idOf = (item: Attributes) => identifierOf(description, item);
  const stored = await storedRows(
    resource,
    batch.map(({ item }) => idOf(item)),
  );
  return concurrently(CONCURRENCY.files, batch, (line) =>
    write(wanted, resource, line, stored.get(idOf(line.item))),
  );
}

/** The rows of the items with these identifiers, by identifier. */
async function storedRows(resource: Resource, ids: readonly (number | string)[]) {
  const description = descriptionOf(resource);
  const stored = new Map<number | string, Attributes>();
  for await (const row of readRows({ name: resource.name, description }, ids))
    stored.set(identifierOf(description, row), row);
  return stored;
}

/** Keeps an earlier version, after its bytes, if the service has no version of this item and number. */
async function writeVersion(directory: string, { item: row, objects }: Line): Promise<Result> {
  const { name, key, sort } = VERSIONS_TABLE;
  const TableName = config.tableName(name);
  const Key = { [key]: row[key] ?? text(''), [sort]: row[sort] ?? number(0) };
  const { Item } = await dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
  if (Item) return { kind: 'present' };
  for (const object of objects) await upload(object, directory);
  await dynamoDb().send(new PutItemCommand({ TableName, Item: row }));
  return { kind: 'written' };
}

const versionOf = (attributes: Attributes): number => Number(attributes[VERSION]?.N);

/** True if the service itself listed the bytes of a file, at a later time: a killed import had stored no row for them. */
const isListedByService = (stored: Attributes, exported: Attributes): boolean =>
  stored.digest !== undefined &&
  stored.digest.S === exported.digest?.S &&
  Number(stored[CREATED]?.N) > Number(exported[CREATED]?.N);

async function write(
  wanted: Import,
  resource: Resource,
  line: Line,
  stored: Attributes | undefined,
): Promise<Result> {
  const { directory, replaces, events } = wanted;
  const { item, objects } = line;
  if (stored && versionOf(stored) === versionOf(item) && !isListedByService(stored, item))
    return { kind: 'present' };
  const isNewer = stored !== undefined && versionOf(stored) > versionOf(item);
  if (isNewer && !replaces) return { kind: 'newer' };
  // Clients and caches know the newer version, so the exported state becomes the version after it.
  const newState = isNewer ? { version: versionOf(stored) + 1, updatedAt: Date.now() } : undefined;
  // The bytes come first: an item never names bytes that do not exist.
  const tags = new Map<string, string>();
  for (const object of objects) tags.set(object.key, await upload(object, directory));
  // An item of the first release has no version.
  const condition = stored?.[VERSION]
    ? compare(VERSION, '=', stored[VERSION])
    : attributeNotExists(stored ? VERSION : descriptionOf(resource).identifier.name);
  const { shards } = await agree(resource);
  const Item = importedAttributes(resource, item, { tags, events, change: newState, shards });
  const itemOf = (row: Attributes) => fromAttributes(descriptionOf(resource), row);
  const [before, after] = [stored && itemOf(stored), itemOf(Item)];
  const change = { ...(before ? { before } : {}), after, wasStored: true } as const;
  const { parts: constraints, refusals } = await checkConstraints(resource, [change]);
  // The stream keeps no version that an import replaced.
  const kept =
    stored && resource.history ? [{ Put: keeping(resource, stored, { ended: after.updatedAt }) }] : [];
  const parts = [...constraints, ...kept];
  const token = newWriteToken();
  const put = {
    TableName: config.tableName(resource.name),
    Item: { ...Item, [WRITE]: text(token) },
    ...conditionExpression(condition),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  if ((await insert(put, token, parts)) !== 'written') {
    // Another request, or this import, wrote the item or its unique value in between.
    const { id } = after;
    return write(wanted, resource, line, (await storedRows(resource, [id])).get(id));
  }
  const problem = refusals.get(0);
  return problem ? { kind: 'shared', id: after.id, problem } : { kind: 'written' };
}
