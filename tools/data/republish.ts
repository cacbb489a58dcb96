import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import { entryOf } from '../../shared/events/entry.ts';
import { publish } from '../../shared/events/publish.ts';
import { publishedChange } from '../../shared/events/records.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { keyAttribute, number } from '../../shared/store/items/attributes.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { CREATED, UPDATED, VERSION } from '../../shared/store/items/table.ts';
import { Obstacle } from '../obstacle.ts';
import { rows } from './rows.ts';

/** Events that the command sends before it reads more items. */
const TOGETHER = 100;

/**
 * Publishes the event of the present version of items again, with the same `id`. `ids`: the items; none: all items of
 * the resource. Returns the number of items that do not exist: the event of a removal cannot be published again.
 *
 * @throws Obstacle if EventBridge refuses an event; a repetition is harmless
 */
export async function republish(
  resource: Resource,
  ids: readonly string[],
  report: (line: string) => void,
): Promise<number> {
  let [published, silent, missing] = [0, 0, 0];
  let events: CloudEvent[] = [];
  const send = async (): Promise<void> => {
    const pending = events.map((event) => ({
      entry: entryOf(event, config.eventBus()),
      subject: event.subject,
      sequenceNumber: event.subject,
    }));
    const refused = await publish(pending);
    if (refused)
      throw new Obstacle(`EventBridge refused the event of ${refused.subject}: repeat the command`);
    published += events.length;
    events = [];
  };
  for await (const { id, item } of ids.length > 0 ? named(resource, ids) : all(resource)) {
    const event = item && (await presentEvent(resource, item));
    if (event) events.push(event);
    else if (item) silent += 1;
    else {
      missing += 1;
      report(`${resource.name} ${id} does not exist. Consumers must remove it themselves`);
    }
    if (events.length === TOGETHER) await send();
  }
  await send();
  report(`${resource.name}: ${published} events${silent > 0 ? `, ${silent} items without an event` : ''}`);
  return missing;
}

type Found = { readonly id?: string; readonly item: Attributes | undefined };

async function* named(resource: Resource, ids: readonly string[]): AsyncGenerator<Found> {
  const TableName = config.tableName(resource.name);
  const description = descriptionOf(resource);
  for (const id of ids) {
    const Key = keyAttribute(description, description.identifier.kind === 'text' ? id : Number(id));
    const { Item } = await dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    yield { id, item: Item };
  }
}

async function* all(resource: Resource): AsyncGenerator<Found> {
  for await (const item of rows(config.tableName(resource.name))) yield { item };
}

/**
 * The event of the present version. The version before is unknown. The event therefore has the type of the state
 * (`order.paid`), if the resource has one. An import without events leaves a version without an event.
 */
async function presentEvent(resource: Resource, item: Attributes): Promise<CloudEvent | undefined> {
  const version = Number(item[VERSION]?.N);
  const { name } = descriptionOf(resource).identifier;
  const before = { ...item, [VERSION]: number(version - 1) };
  const stateless = Object.fromEntries(
    Object.entries(before).filter(([one]) => [name, VERSION, CREATED, UPDATED].includes(one)),
  );
  const event = async (OldImage?: Attributes) => {
    const dynamodb = { NewImage: image(item), OldImage: OldImage && image(OldImage) };
    return (await publishedChange(resource, { dynamodb }))?.event;
  };
  if (version === 1) return event();
  const entered = await event(stateless);
  // A later version is no creation, also in the first state.
  return entered?.type.endsWith('.created') ? event(before) : entered;
}

/** The SDK and the stream represent the attributes of items in the same way. */
const image = (item: Attributes) => item as unknown as Record<string, AttributeValue>;
