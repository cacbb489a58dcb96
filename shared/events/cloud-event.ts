import { createHash } from 'node:crypto';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { itemHref, valueMembers } from '../representations/item.ts';
import type { Sight } from '../resource/access/sight.ts';
import type { Description } from '../resource/description/description.ts';
import type { Item } from '../resource/item.ts';
import { type ChangeEvent, descriptionOf, type EventFacts, type Resource } from '../resource/resource.ts';
import type { Attributes } from '../store/form/attribute-value.ts';
import { fromAttributes } from '../store/form/attributes.ts';
import { CONSTRAINT, IMPORTED, markIn, VERSION, WRITE } from '../store/form/table.ts';

/**
 * The event of a change to one item.
 *
 * Source: CloudEvents 1.0.2, "Context Attributes"; CloudEvents extensions "Sequence", "Dataref (Claim Check
 * Pattern)", "Auth Context", "Distributed Tracing".
 */
export interface CloudEvent extends ChangeEvent {
  readonly specversion: '1.0';
  /** The path of the collection. */
  readonly source: string;
  /** The kind of `authid`: tokens do not say whether their subject is a person or a program. */
  readonly authtype?: 'unknown';
  /** The hash of the caller who made the change; absent if the caller is unknown, and after a removal. */
  readonly authid?: string;
  /** The trace of the request that made the change; absent if it named none, and after a removal. */
  readonly traceparent?: string;
  /** The operation of `POST /changes/undo` that made the change; absent after a removal. */
  readonly undo?: string;
  /** A text: the events of one subject are ordered by it. */
  readonly sequence: string;
  readonly datacontenttype?: 'application/json';
  /** The path of the item, instead of data that is too large or of unknown form. */
  readonly dataref?: string;
}

const VERSION_DIGITS = 10;

/** The state of an item before or after a change, as the stream has it. */
export type Image = Readonly<Record<string, AttributeValue>>;

/** A change with its event. `item`: its state after the change, or its last one. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly item: Item;
  /** The event without data. */
  readonly envelope: CloudEvent;
  readonly event: CloudEvent;
  /** True if an import made the version without events: it is in the log alone. */
  readonly isSilent: boolean;
}

/**
 * Returns the change of an item in a record, with its event; undefined if the record has no event. A change causes an
 * event only if it makes a new version of the item, which is a new entity tag for clients. Counts and sort keys that
 * the service stores with an item are not part of its state.
 *
 * An item of unknown stored form has an event without data. `hash` hashes the caller who made the change; undefined:
 * the deployment has no key for this.
 *
 * @throws Error when an image has no identifier
 *
 * Source: DynamoDB Streams API Reference, "Record", "StreamRecord".
 */
export function changeOf(
  resource: Resource,
  { dynamodb }: DynamoDBRecord,
  hash?: (subject: string) => string,
): ItemChange | undefined {
  const description = descriptionOf(resource);
  const { OldImage, NewImage, ApproximateCreationDateTime = 0 } = dynamodb ?? {};
  // The row of a constraint is not an item.
  if ((NewImage ?? OldImage)?.[CONSTRAINT]) return undefined;
  const before = OldImage && itemOf(description, OldImage);
  const after = NewImage && itemOf(description, NewImage);
  const item = after ?? before;
  const mark = NewImage && after && markIn(attributesIn(NewImage), after.updatedAt);
  const undo = mark?.isUndo ? String(mark.operation) : undefined;
  // An undo makes no transition.
  const happened = whatHappened(undo === undefined ? resource.events : undefined, before, after);
  if (!item || happened === undefined) return undefined;
  const author = after && authorOf(resource, after);
  const traceparent = traceOf(OldImage, NewImage);
  // The time of a removal has whole seconds, so it can be before that of the last version.
  const time = after ? after.updatedAt : Math.max(ApproximateCreationDateTime * 1000, item.updatedAt || 0);
  const sequence = sequenceOf(item, after === undefined);
  const envelope: CloudEvent = {
    specversion: '1.0',
    id: eventId(resource, item, sequence),
    source: `/${resource.name}`,
    type: `${description.singular}.${happened}`,
    subject: itemHref(resource, item.id),
    time: new Date(time).toISOString(),
    ...(author === undefined || !hash ? {} : { authtype: 'unknown', authid: hash(author) }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(undo === undefined ? {} : { undo }),
    sequence,
  };
  const isSilent = NewImage !== undefined && isImported(attributesIn(NewImage));
  return { before, after, item, envelope, event: withData(envelope, resource, item), isSilent };
}

/**
 * Returns the event with the item as its data, as far as `sight` shows it; undefined: all facts, and the data that every
 * caller sees. An item of unknown stored form has no data.
 */
export function withData(envelope: CloudEvent, resource: Resource, item: Item, sight?: Sight): CloudEvent {
  const facts = sight ? factsSeen(envelope, sight) : envelope;
  if (item.unreadable) return { ...facts, dataref: itemHref(resource, item.id) };
  return {
    ...facts,
    datacontenttype: 'application/json',
    data: valueMembers(resource, item, '', sight && { sight }),
  };
}

/** Returns an event without its author, if the reader sees no authors. Source: Specification 17.5. */
export function factsSeen(event: CloudEvent, { authors }: Sight): CloudEvent {
  const { authtype: _type, authid: _id, ...anonymous } = event;
  return authors ? event : anonymous;
}

/**
 * Returns the identifier of an event: it follows from the version alone. The stream of a copy of the table, and a
 * command that publishes the event again, therefore make the same one. The time distinguishes versions after an import
 * of an item that had been removed.
 */
const eventId = ({ name }: Resource, { id, updatedAt }: Item, sequence: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name, id, sequence, updatedAt]))
    .digest('hex')
    .slice(0, 32);

/** True if an import made the present version of an item without events. */
export const isImported = (attributes: Attributes): boolean =>
  attributes[IMPORTED]?.N !== undefined && attributes[IMPORTED].N === attributes[VERSION]?.N;

/** Returns the caller who made a version. The service changes the state of an operation for the caller who began it. */
const authorOf = ({ tracked }: Resource, { createdBy, updatedBy }: Item): string | undefined =>
  tracked ? createdBy : updatedBy;

/** The trace in the token of the write. A write of another release or of a repair leaves the token of the one before. */
function traceOf(before: Image | undefined, after: Image | undefined): string | undefined {
  const token = after?.[WRITE]?.S;
  return token === before?.[WRITE]?.S ? undefined : token?.split(' ')[1];
}

/**
 * Returns the attributes of an image of the stream. It has the wire format. The SDK represents texts, numbers and
 * booleans in the same way.
 */
export const attributesIn = (image: Image): Attributes => image as unknown as Attributes;

const itemOf = (description: Description, image: Image): Item =>
  fromAttributes(description, attributesIn(image));

function whatHappened(
  facts: EventFacts | undefined,
  before: Item | undefined,
  after: Item | undefined,
): string | undefined {
  if (before && after && before.version === after.version) return undefined;
  const state = facts && after?.values[facts.field];
  const entered = state !== undefined && state !== before?.values[facts?.field ?? ''];
  if (facts?.finals) return entered && facts.finals.includes(state as string) ? named(state) : undefined;
  if (!after) return 'removed';
  if (!before) return 'created';
  return entered ? named(state) : 'changed';
}

const named = (state: unknown): string => String(state).toLowerCase();

/**
 * Returns the version with leading zeros, so that texts have the order of numbers. A removal has the number after the
 * last version. A client can reuse a filename after a removal, and its versions start again. For files, the creation
 * time therefore precedes the version.
 */
function sequenceOf({ id, version, createdAt }: Item, removed: boolean): string {
  const number = String(removed ? version + 1 : version).padStart(VERSION_DIGITS, '0');
  return typeof id === 'string' ? `${createdAt}.${number}` : number;
}
