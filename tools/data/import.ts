import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { CONCURRENCY, concurrently } from '../../shared/concurrency/concurrently.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { checkConstraints } from '../../shared/store/constraints/check-constraints.ts';
import { agree } from '../../shared/store/inventory/stored-inventory.ts';
import { fromAttributes, identifierOf, text } from '../../shared/store/items/attributes.ts';
import { readRows } from '../../shared/store/items/read-items.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { VERSION, WRITE } from '../../shared/store/items/table.ts';
import { attributeNotExists, compare, conditionExpression } from '../../shared/store/write/expression.ts';
import { newWriteToken } from '../../shared/store/write/parts.ts';
import { insert } from '../../shared/store/write/transaction.ts';
import { Obstacle } from '../obstacle.ts';
import { Checkpoint } from './checkpoint.ts';
import { linesOf } from './export.ts';
import { importedAttributes } from './imported-attributes.ts';
import { type Line, readLine } from './lines.ts';
import { upload } from './objects.ts';
import { readLines } from './read-lines.ts';

/** Imports an export into a service. */

/** How to import. `replaces`: the export wins over newer items. `events`: each imported item causes an event. */
export interface Import {
  readonly directory: string;
  readonly resources: readonly Resource[];
  readonly replaces: boolean;
  readonly events: boolean;
  /** The current time in ms since the epoch. */
  readonly now: () => number;
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

/** The import of one resource so far. `position`: the bytes of the lines that are done. */
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
 * Writes the items of an export into the tables, each after its bytes. Identifiers, versions and times stay. A killed
 * import continues after its last whole batch. A repeated import writes nothing, because the items are present.
 * Returns how many newer items it left, and how many items share a unique value with another item.
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
  for (const resource of resources) {
    const { name } = resource;
    const file = linesOf(directory, resource);
    if (!existsSync(file)) throw new Obstacle(`${file} is missing: name the resources to import`);
    let progress = state.resources[name] ?? START;
    const save = (after: Progress) => {
      state = { target, resources: { ...state.resources, [name]: after } };
      checkpoint.save(state);
    };
    for await (const after of batches(wanted, resource, progress, report)) {
      progress = after;
      save(progress);
    }
    const { written, present, newer, shared } = progress;
    sum.newer += newer;
    sum.shared += shared;
    const conflicts = shared > 0 ? `, ${shared} share unique values` : '';
    report(`${name}: ${written + shared} written, ${present} present, ${newer} newer${conflicts}`);
  }
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

async function* batches(
  wanted: Import,
  resource: Resource,
  from: Progress,
  report: (line: string) => void,
): AsyncGenerator<Progress> {
  const file = linesOf(wanted.directory, resource);
  let progress = from;
  let batch: Line[] = [];
  let position = from.position;
  const done = async (): Promise<Progress> => {
    const results = await writeBatch(wanted, resource, batch);
    const count = (result: keyof Counts) => results.filter(({ kind }) => kind === result).length;
    for (const one of results)
      if (one.kind === 'shared') report(`${resource.name} ${one.id}: ${one.problem.detail}`);
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

const versionOf = (attributes: Attributes): number => Number(attributes[VERSION]?.N);

async function write(
  wanted: Import,
  resource: Resource,
  line: Line,
  stored: Attributes | undefined,
): Promise<Result> {
  const { directory, replaces, events, now } = wanted;
  const { item, objects } = line;
  if (stored && versionOf(stored) === versionOf(item)) return { kind: 'present' };
  const isNewer = stored !== undefined && versionOf(stored) > versionOf(item);
  if (isNewer && !replaces) return { kind: 'newer' };
  // Clients and caches know the newer version, so the exported state becomes the version after it.
  const newState = isNewer ? { version: versionOf(stored) + 1, updatedAt: now() } : undefined;
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
  const { parts, refusals } = await checkConstraints(resource, [change]);
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
