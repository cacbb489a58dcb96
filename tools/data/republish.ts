import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { publishChanges } from '../../functions/events/batches.ts';
import { logChanges } from '../../functions/events/log-changes.ts';
import type { RecordedChange } from '../../functions/events/read-changes.ts';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { publishedChange } from '../../shared/events/records.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { identifierOf, number, text } from '../../shared/store/form/attributes.ts';
import { CREATED, UPDATED, VERSION } from '../../shared/store/form/table.ts';
import { imageIn, REMOVED_AT, VERSIONS_TABLE } from '../../shared/store/history/versions-table.ts';
import { itemRows } from '../../shared/store/items/read-items.ts';
import { compare, readExpression } from '../../shared/store/write/expression.ts';
import { UserError } from '../user-error.ts';
import { itemWith } from './rows.ts';

/** Events that the command sends before it reads more items. */
const TOGETHER = 100;

/**
 * Publishes the event of the current version of items again, with the same `id`, and adds the change to the log if the
 * log lacks it. `ids`: the items; none: all items of the resource. If the resource has a history, a removed item has the
 * event of its removal. Returns the number of the other items that do not exist.
 *
 * @throws UserError if EventBridge refuses an event; a repetition is harmless
 */
export async function republish(
  resource: Resource,
  ids: readonly string[],
  report: (line: string) => void,
): Promise<number> {
  let [sent, silent, missing] = [0, 0, 0];
  let changes: RecordedChange[] = [];
  const send = async (): Promise<void> => {
    await logChanges(registry, changes);
    const published = changes.filter(({ change }) => !change.isSilent);
    const refused = await publishChanges(published);
    if (refused !== undefined)
      throw new UserError(`EventBridge refused the event of ${refused}: repeat the command`);
    sent += published.length;
    silent += changes.length - published.length;
    changes = [];
  };
  for await (const { id, item } of ids.length > 0 ? named(resource, ids) : all(resource)) {
    const change = item ? await presentChange(resource, item) : (await removals(resource, id).next()).value;
    if (change) changes.push(change);
    else if (item) silent += 1;
    else {
      missing += 1;
      report(`${resource.name} ${id} does not exist. Consumers must remove it themselves`);
    }
    if (changes.length === TOGETHER) await send();
  }
  for await (const change of ids.length > 0 ? [] : removals(resource)) {
    changes.push(change);
    if (changes.length === TOGETHER) await send();
  }
  await send();
  report(`${resource.name}: ${sent} events${silent > 0 ? `, ${silent} items without an event` : ''}`);
  return missing;
}

type Found = { readonly id?: string; readonly item: Attributes | undefined };

async function* named(resource: Resource, ids: readonly string[]): AsyncGenerator<Found> {
  const { kind } = descriptionOf(resource).identifier;
  for (const id of ids) yield { id, item: await itemWith(resource, kind === 'text' ? id : Number(id)) };
}

async function* all(resource: Resource): AsyncGenerator<Found> {
  for await (const item of itemRows(config.tableName(resource.name))) yield { item };
}

/**
 * Returns the change that made the current version. The version before is unknown. The event therefore has the type of
 * the state (`order.paid`), if the resource has one.
 */
async function presentChange(resource: Resource, item: Attributes): Promise<RecordedChange | undefined> {
  const version = Number(item[VERSION]?.N);
  const { name } = descriptionOf(resource).identifier;
  const before = { ...item, [VERSION]: number(version - 1) };
  const stateless = Object.fromEntries(
    Object.entries(before).filter(([one]) => [name, VERSION, CREATED, UPDATED].includes(one)),
  );
  const change = (OldImage?: Attributes) =>
    changeIn(resource, { NewImage: image(item), OldImage: OldImage && image(OldImage) });
  if (version === 1) return change();
  const entered = await change(stateless);
  // A later version is not a creation, also in the first state.
  return entered?.change.event.type.endsWith('.created') ? change(before) : entered;
}

/**
 * Yields the removals of items that do not exist, from the versions that their removals kept. `id`: of one item;
 * undefined: of all items of the resource.
 */
async function* removals(resource: Resource, id?: string): AsyncGenerator<RecordedChange, undefined> {
  if (!resource.history) return undefined;
  const { name, key } = VERSIONS_TABLE;
  const TableName = config.tableName(name);
  const path = `/${resource.name}/${id ?? ''}`;
  const ofItem = { TableName, ...readExpression({ key: compare(key, '=', text(path)) }) };
  const kept =
    id === undefined ? itemRows(TableName) : (await dynamoDb().send(new QueryCommand(ofItem))).Items;
  const last = new Map<string, Attributes>();
  for await (const row of kept ?? []) {
    const item = row[key]?.S ?? '';
    if (item.startsWith(path) && row[REMOVED_AT]) last.set(item, row);
  }
  for (const row of last.values()) {
    const before = imageIn(row);
    if (await itemWith(resource, identifierOf(descriptionOf(resource), before))) continue;
    const ApproximateCreationDateTime = Number(row[REMOVED_AT]?.N) / 1000;
    const change = await changeIn(resource, { OldImage: image(before), ApproximateCreationDateTime });
    if (change) yield change;
  }
  return undefined;
}

async function changeIn(
  resource: Resource,
  dynamodb: NonNullable<DynamoDBRecord['dynamodb']>,
): Promise<RecordedChange | undefined> {
  const change = await publishedChange(resource, { dynamodb });
  return change && { resource, change, record: { dynamodb }, sequenceNumber: change.event.subject };
}

/** The SDK and the stream represent the attributes of items in the same way. */
const image = (item: Attributes) => item as unknown as Record<string, AttributeValue>;
