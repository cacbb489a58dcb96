/** Imports an export into a service. */

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
import { insert } from '../../shared/store/write/insert.ts';
import { newWriteToken } from '../../shared/store/write/parts.ts';
import { Obstacle } from '../obstacle.ts';
import { Checkpoint } from './checkpoint.ts';
import { linesOf } from './export.ts';
import { importedAttributes } from './imported-attributes.ts';
import { type Line, readLine } from './lines.ts';
import { upload } from './objects.ts';
import { readLines } from './read-lines.ts';

/** How to import. `replaces`: the export wins over newer items. `events`: each imported item causes an event. */
export interface Import {
  readonly directory: string;
  readonly resources: readonly Resource[];
  readonly replaces: boolean;
  readonly events: boolean;
  /** The current time in ms since the epoch. */
  readonly now: () => number;
}

/** Items by what happened to them. `newer`: the service has a newer version, which the import left. */
interface Counts {
  readonly written: number;
  readonly present: number;
  readonly newer: number;
  /** Items that the constraints of the resource refuse: another item of the service has a unique value of theirs. */
  readonly refused: number;
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
 * Returns the number of newer items that it left.
 *
 * If constraints refuse items of a resource, the next import reads all its lines again.
 *
 * @throws Obstacle if a file is missing, if a line is not from an export, or if constraints refuse items
 */
export async function importItems(wanted: Import, report: (line: string) => void): Promise<number> {
  const { directory, resources } = wanted;
  const checkpoint = new Checkpoint<State>(join(directory, 'import.json'));
  const target = await targetOf(resources);
  const saved = checkpoint.read(isState);
  let state = saved?.target === target ? saved : { target, resources: {} };
  let newer = 0;
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
    newer += progress.newer;
    const { written, present, refused } = progress;
    const conflicts = refused > 0 ? `, ${refused} refused` : '';
    report(`${name}: ${written} written, ${present} present, ${progress.newer} newer${conflicts}`);
    if (refused > 0) {
      save(START);
      throw new Obstacle(`The lines above name the refused items of ${name}: change them, import again`);
    }
  }
  checkpoint.remove();
  return newer;
}

const START: Progress = { position: 0, lines: 0, written: 0, present: 0, newer: 0, refused: 0 };

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
    for (const one of results) if (one.kind === 'refused') report(refusalLine(resource, one));
    progress = {
      position,
      lines: progress.lines + batch.length,
      written: progress.written + count('written'),
      present: progress.present + count('present'),
      newer: progress.newer + count('newer'),
      refused: progress.refused + count('refused'),
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
type Result = { readonly kind: Exclude<keyof Counts, 'refused'> } | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly id: number | string;
  readonly problem: Problem;
}

const refusalLine = ({ name }: Resource, { id, problem: { detail } }: Refused): string =>
  `${name} ${id}: ${detail}`;

async function writeBatch(wanted: Import, resource: Resource, batch: readonly Line[]): Promise<Result[]> {
  const description = descriptionOf(resource);
  const idOf = (item: Attributes) => identifierOf(description, item);
  const ids = batch.map(({ item }) => idOf(item));
  const stored = new Map<number | string, Attributes>();
  for await (const row of readRows({ name: resource.name, description }, ids)) stored.set(idOf(row), row);
  return concurrently(CONCURRENCY.files, batch, (line) =>
    write(wanted, resource, line, stored.get(idOf(line.item))),
  );
}

const versionOf = (attributes: Attributes): number => Number(attributes[VERSION]?.N);

async function write(
  { directory, replaces, events, now }: Import,
  resource: Resource,
  { item, objects }: Line,
  stored: Attributes | undefined,
): Promise<Result> {
  if (stored && versionOf(stored) === versionOf(item)) return { kind: 'present' };
  const isNewer = stored !== undefined && versionOf(stored) > versionOf(item);
  if (isNewer && !replaces) return { kind: 'newer' };
  // Clients and caches know the newer version, so the exported state becomes the version after it.
  const newState = isNewer ? { version: versionOf(stored) + 1, updatedAt: now() } : undefined;
  // The bytes come first: an item never names bytes that do not exist.
  const tags = new Map<string, string>();
  for (const object of objects) tags.set(object.key, await upload(object, directory));
  const condition = stored?.[VERSION]
    ? compare(VERSION, '=', stored[VERSION])
    : attributeNotExists(descriptionOf(resource).identifier.name);
  const { shards } = await agree(resource);
  const Item = importedAttributes(resource, item, { tags, events, change: newState, shards });
  const itemOf = (row: Attributes) => fromAttributes(descriptionOf(resource), row);
  const [before, after] = [stored && itemOf(stored), itemOf(Item)];
  const change = { ...(before ? { before } : {}), after, wasStored: true } as const;
  const { parts, refusals } = await checkConstraints(resource, [change]);
  const problem = refusals.get(0);
  if (problem) return { kind: 'refused', id: after.id, problem };
  const token = newWriteToken();
  const put = {
    TableName: config.tableName(resource.name),
    Item: { ...Item, [WRITE]: text(token) },
    ...conditionExpression(condition),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  // If it fails, another request wrote the item, or its unique value, in between.
  return { kind: (await insert(put, token, parts)) === 'written' ? 'written' : 'newer' };
}
