import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { JsonObject } from '../json/value.ts';
import { itemHref, valueMembers } from '../representations/item.ts';
import type { Description } from '../resource/description.ts';
import type { Item } from '../resource/item.ts';
import type { EventFacts, Resource } from '../resource/resource.ts';
import { type Attributes, fromAttributes } from '../store/items/attributes.ts';

/**
 * What happened to one item.
 *
 * Source: CloudEvents 1.0.2, "Context Attributes"; CloudEvents extensions "Sequence", "Dataref (Claim Check Pattern)".
 */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** The same whenever the event is delivered again. */
  readonly id: string;
  /** The path of the collection. */
  readonly source: string;
  /** `customer.created`, `order.paid`. */
  readonly type: string;
  /** The path of the item. */
  readonly subject: string;
  /** When it happened. Source: RFC 3339. */
  readonly time: string;
  /** A text that orders the events of one subject. */
  readonly sequence: string;
  readonly datacontenttype?: 'application/json';
  /** The item as JSON shows it, without links; of a removed one as it was. */
  readonly data?: JsonObject;
  /** Where the item can be read, in the place of data that is too large. */
  readonly dataref?: string;
}

const VERSION_DIGITS = 10;

type Image = Readonly<Record<string, AttributeValue>>;

/**
 * The event that a change of an item is, or undefined. A change is one when it made a new version of the item, which is
 * when clients see another entity tag: counts and sort keys that the service keeps with an item are none of its state.
 * @throws Error where an image is damaged.
 *
 * Source: DynamoDB Streams API Reference, "Record", "StreamRecord".
 */
export function eventOf(resource: Resource, { eventID, dynamodb }: DynamoDBRecord): CloudEvent | undefined {
  const description = resource.description as Description;
  const { OldImage, NewImage, ApproximateCreationDateTime = 0 } = dynamodb ?? {};
  const before = OldImage && itemOf(description, OldImage);
  const after = NewImage && itemOf(description, NewImage);
  const item = after ?? before;
  const happened = whatHappened(resource.events, before, after);
  if (!item || happened === undefined) return undefined;
  const time = after ? after.updatedAt : ApproximateCreationDateTime * 1000;
  return {
    specversion: '1.0',
    id: eventID as string,
    source: `/${resource.name}`,
    type: `${description.singular}.${happened}`,
    subject: itemHref(resource, item.id),
    time: new Date(time).toISOString(),
    sequence: sequenceOf(item, after === undefined),
    datacontenttype: 'application/json',
    data: valueMembers(description, item),
  };
}

/** Images come as the wire has them; items are made of text and numbers alone, which the SDK shows alike. */
const itemOf = (description: Description, image: Image): Item =>
  fromAttributes(description, image as unknown as Attributes);

function whatHappened(
  facts: EventFacts | undefined,
  before: Item | undefined,
  after: Item | undefined,
): string | undefined {
  if (before && after && before.version === after.version) return undefined;
  const state = facts && after?.values[facts.field];
  const moved = state !== undefined && state !== before?.values[facts?.field ?? ''];
  if (facts?.finals) return moved && facts.finals.includes(state as string) ? named(state) : undefined;
  if (!after) return 'removed';
  if (!before) return 'created';
  return moved ? named(state) : 'changed';
}

const named = (state: unknown): string => String(state).toLowerCase();

/**
 * The version, with as many digits as make texts order as numbers do; a removal comes behind the last one. A name that a
 * client chose can come back after its removal and begin anew: there the creation time comes first.
 */
function sequenceOf({ id, version, createdAt }: Item, removed: boolean): string {
  const number = String(removed ? version + 1 : version).padStart(VERSION_DIGITS, '0');
  return typeof id === 'string' ? `${createdAt}.${number}` : number;
}
