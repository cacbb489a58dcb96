import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { CONCURRENCY, mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes, identifierOf, number, text } from '../../../shared/store/form/attributes.ts';
import { CREATED, IMPORTED, UPDATED, VERSION } from '../../../shared/store/form/table.ts';
import { imageOf, VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { readRows } from '../../../shared/store/items/read-items.ts';
import { UserError } from '../../user-error.ts';
import { Checkpoint } from '../checkpoint.ts';
import { linesOf, versionsOf } from '../export.ts';
import { exportedRows, itemsOf, type Judge, versionsOfItems } from '../exported-rows.ts';
import type { Line } from '../lines.ts';
import { upload } from '../objects.ts';
import { forgetCounts } from '../subscriptions/subscriptions.ts';
import { knownVersions } from './known-versions.ts';
import { type Stored, store } from './store.ts';

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
 * wrote the item, and another item has a unique value of it, or it is beyond a limit.
 */
interface Counts {
  readonly written: number;
  readonly present: number;
  readonly newer: number;
  readonly shared: number;
}

/** The import of one file so far. `position`: the bytes of the lines that are done. `skipped`: those without an item. */
interface Progress extends Counts {
  readonly position: number;
  readonly lines: number;
  readonly skipped: number;
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
 * @throws UserError if a file is missing, or if a line is not from an export
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
  const all = async (source: Pick<Resource, 'name'>, judge: Judge, write: WriteBatch): Promise<Progress> => {
    const { name } = source;
    let progress = { ...START, ...state.resources[name] };
    for await (const after of batches(linesOf(directory, source), judge, write, progress)) {
      progress = after;
      state = { target, resources: { ...state.resources, [name]: after } };
      checkpoint.save(state);
    }
    if (progress.skipped > 0) report(`${name}: ${progress.skipped} lines without an item`);
    return progress;
  };
  for (const resource of resources) {
    const file = linesOf(directory, resource);
    if (!existsSync(file)) throw new UserError(`${file} is missing: name the resources to import`);
    const { written, present, newer, shared } = await all(resource, itemsOf(resource), async (batch) => {
      const results = await writeBatch(wanted, resource, batch);
      for (const one of results)
        if (one.kind === 'shared') report(`${resource.name} ${one.id}: ${one.problem.detail}`);
      return results;
    });
    sum.newer += newer;
    sum.shared += shared;
    const conflicts = shared > 0 ? `, ${shared} against a rule of several items` : '';
    report(`${resource.name}: ${written + shared} written, ${present} present, ${newer} newer${conflicts}`);
    if (written > 0 && !resource.history && descriptionOf(resource).identifier.kind === 'integer')
      report(
        `If the service had removed items of ${resource.name} before, increase revision in its definition`,
      );
    const versions = versionsOf(resource);
    if (!resource.history || !existsSync(linesOf(directory, versions))) continue;
    const kept = await all(versions, versionsOfItems(resource), (batch) =>
      mapConcurrently(CONCURRENCY.files, batch, (line) => writeVersion(directory, line)),
    );
    report(`${versions.name}: ${kept.written} written, ${kept.present} present`);
  }
  if (resources.some(({ name }) => name === 'subscriptions')) await forgetCounts();
  checkpoint.remove();
  return sum;
}

const START: Progress = { position: 0, lines: 0, skipped: 0, written: 0, present: 0, newer: 0, shared: 0 };

const targetOf = async (resources: readonly Resource[]): Promise<string> =>
  [
    process.env.AWS_ENDPOINT_URL_DYNAMODB ?? (await dynamoDb().config.region()),
    config.bucketName(),
    ...resources.map(({ name }) => config.tableName(name)),
  ].join(' ');

type WriteBatch = (batch: readonly Line[]) => Promise<readonly Result[]>;

async function* batches(
  file: string,
  judge: Judge,
  write: WriteBatch,
  from: Progress,
): AsyncGenerator<Progress> {
  let progress = from;
  let batch: Line[] = [];
  let read = { position: from.position, lines: 0, skipped: 0 };
  const done = async (): Promise<Progress> => {
    const results = await write(batch);
    const count = (result: keyof Counts) => results.filter(({ kind }) => kind === result).length;
    progress = {
      position: read.position,
      lines: progress.lines + read.lines,
      skipped: progress.skipped + read.skipped,
      written: progress.written + count('written'),
      present: progress.present + count('present'),
      newer: progress.newer + count('newer'),
      shared: progress.shared + count('shared'),
    };
    batch = [];
    read = { ...read, lines: 0, skipped: 0 };
    return progress;
  };
  for await (const { line, end } of exportedRows(file, judge, { ...from, before: from.lines })) {
    if (line) batch.push(line);
    read = { position: end, lines: read.lines + 1, skipped: read.skipped + (line ? 0 : 1) };
    if (read.lines === BATCH) yield await done();
  }
  if (read.lines > 0) yield await done();
}

/** The result of the import of an item. */
type Result = Stored | { readonly kind: 'present' | 'newer' };

async function writeBatch(wanted: Import, resource: Resource, batch: readonly Line[]): Promise<Result[]> {
  const description = descriptionOf(resource);
  const idOf = (item: Attributes) => identifierOf(description, item);
  const stored = await storedRows(
    resource,
    batch.map(({ item }) => idOf(item)),
  );
  return mapConcurrently(CONCURRENCY.files, batch, (line) =>
    write(wanted, resource, line, stored.get(idOf(line.item))),
  );
}

/** Returns the rows of the items with these identifiers, by identifier. */
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
  const isRepair = stored !== undefined && isListedByService(stored, item);
  if (stored && (versionOf(stored) === versionOf(item) || hasValuesOf(stored, item)) && !isRepair)
    return { kind: 'present' };
  if (stored && versionOf(stored) > versionOf(item) && !replaces) return { kind: 'newer' };
  const known = await knownVersions(resource, identifierOf(descriptionOf(resource), item));
  // The bytes come first: an item never names bytes that do not exist.
  const tags = new Map<string, string>();
  for (const object of objects) tags.set(object.key, await upload(object, directory));
  const last = Math.max(known.last, (stored && !isRepair && versionOf(stored)) || 0);
  const result = await store(resource, item, { stored, known, last, tags, events });
  if (result) return result;
  // Another request, or this import, wrote the item or its unique value in between.
  const { id } = fromAttributes(descriptionOf(resource), item);
  return write(wanted, resource, line, (await storedRows(resource, [id])).get(id));
}

/** True if an item of the service has the values of the export. Its version and its time can differ. */
function hasValuesOf(stored: Attributes, exported: Attributes): boolean {
  const [one, other] = [stored, exported].map((row) => {
    const { [VERSION]: _, [UPDATED]: __, [IMPORTED]: ___, ...values } = imageOf(row);
    return values;
  });
  return isDeepStrictEqual(one, other);
}
