import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { log } from '../../aws/log.ts';
import { emptyObject, type JsonObject, type JsonValue, setMember } from '../../json/value.ts';
import type { Description, Field, Fields } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import { kindOf, withDecimals } from '../../resource/kinds/kinds.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { UnreadableItem } from '../../resource/store-refusal.ts';
import {
  type Attributes,
  fromAttribute,
  fromOtherForm,
  hasOwnAttribute,
  parseStored,
  toAttribute,
} from './attribute-value.ts';
import { binariesOf, binaryAttributes } from './binary-attributes.ts';
import { ownerAttribute } from './owner.ts';
import { type SortValue, sortKey } from './sort-key.ts';
import {
  BYTES,
  CREATED,
  CREATED_BY,
  OPEN,
  OWNER,
  SCHEMA,
  SHARD,
  sortAttributes,
  UPDATED,
  UPDATED_BY,
  VERSION,
} from './table.ts';

/** Returns a number as a DynamoDB attribute. */
export const number = (value: number) => ({ N: String(value) });
/** Returns a time (ms since the epoch) as a time to live. DynamoDB takes seconds. */
export const expiry = (at: number) => number(Math.ceil(at / 1000));
/** Returns a text as a DynamoDB attribute. */
export const text = (value: string) => ({ S: value });
/** Returns an object or an array as a DynamoDB attribute: its JSON. */
export const structure = (value: unknown) => ({ S: JSON.stringify(value) });

/** Fails for an item of unreadable shape. The service never writes one, so another program changed it. */
function damaged(detail: string): never {
  throw new Error(`A stored item is damaged: ${detail}`);
}

/** Returns a number or a text as a part of a key. */
export const keyValue = (value: number | string): AttributeValue =>
  typeof value === 'number' ? number(value) : text(value);

/** Returns the primary key of an item as DynamoDB attributes. */
export const keyAttribute = (description: Description, id: number | string): Attributes => ({
  [description.identifier.name]: keyValue(id),
});

/**
 * Returns the sort keys of an item's values, one for each composed order. An absent value has a sort key too, so that
 * every item appears in every list.
 */
export function sortKeys(
  resource: Pick<Resource, 'name' | 'sortable' | 'description'>,
  item: Pick<Item, 'id' | 'values' | 'createdAt'>,
): Attributes {
  const keys: Attributes = {};
  for (const [field, attribute] of sortAttributes(resource)) {
    const value = field === 'createdAt' ? item.createdAt : (item.values[field] as SortValue);
    keys[attribute] = { B: sortKey(value, item.id) };
  }
  return keys;
}

/** Returns the identifier in stored attributes. @throws Error if they have none */
export function identifierOf({ identifier }: Description, attributes: Attributes): number | string {
  const { N, S } = attributes[identifier.name] ?? damaged('no identifier');
  return identifier.kind === 'integer' ? Number(N) : (S ?? damaged('no identifier'));
}

/** Returns one attribute for each declared field, and one JSON text for all undeclared properties. */
export function valueAttributes(description: Description, values: JsonObject): Attributes {
  const { fields } = description.plan;
  const attributes: Attributes = {};
  const open = emptyObject();
  let hasOpen = false;
  for (const name of Object.keys(values)) {
    const value = values[name] as JsonValue;
    const planned = fields.get(name);
    if (planned && hasOwnAttribute(planned.kind.attribute, value))
      attributes[planned.attribute] = toAttribute(value);
    else {
      open[name] = value;
      hasOpen = true;
    }
  }
  if (hasOpen) attributes[OPEN] = structure(open);
  return attributes;
}

/** Converts an item to all attributes that DynamoDB stores. */
export function toAttributes(resource: Resource, item: Item, shards: number): Attributes {
  const description = descriptionOf(resource);
  const attributes: Attributes = {
    ...keyAttribute(description, item.id),
    [SCHEMA]: number(description.version),
    [VERSION]: number(item.version),
    [CREATED]: number(item.createdAt),
    [UPDATED]: number(item.updatedAt),
    ...authorAttributes(item),
    ...(resource.owner ? ownerAttribute(resource, item.owner) : {}),
    [SHARD]: number(shardOf(item.id, shards)),
    ...valueAttributes(description, item.values),
    ...(item.binaries ? binaryAttributes(item.binaries) : {}),
    ...sortKeys(resource, item),
  };
  for (const [name, value] of Object.entries(item.internal)) {
    if (value !== undefined) attributes[`_${name}`] = toAttribute(value);
  }
  return attributes;
}

const NOTHING: Item['internal'] = {};

function internalOf(internal: Fields, attributes: Attributes, unreadable: string[]): Item['internal'] {
  let found: Record<string, string | number> | undefined;
  for (const name of Object.keys(internal)) {
    const attribute = attributes[`_${name}`];
    if (!attribute) continue;
    const value = fromAttribute(kindOf(internal[name] as Field).attribute, attribute);
    if (value === undefined) unreadable.push(`_${name}`);
    else {
      found ??= {};
      found[name] = value as string | number;
    }
  }
  return found ?? NOTHING;
}

/** The version of the description that stored these attributes: 1 if none is stored. Source: Specification 13.1. */
export const schemaOf = (attributes: Attributes): number => Number(attributes[SCHEMA]?.N ?? 1);

/** Returns the values of the declared fields, by name. Adds the fields whose form it does not know to `unreadable`. */
function declaredValues(description: Description, attributes: Attributes, unreadable: string[]): JsonObject {
  const schema = schemaOf(attributes);
  const values: JsonObject = {};
  for (const { name, field, kind, attribute: stored, earlier, later } of description.plan.fields.values()) {
    const attribute = attributes[stored];
    if (!attribute || kind.attribute === 'none') continue;
    const form =
      earlier && schema < earlier.before ? earlier : later && schema >= later.from ? later : undefined;
    const value = form ? fromOtherForm(form, attribute, schema) : fromAttribute(kind.attribute, attribute);
    if (value === undefined) unreadable.push(name);
    else values[name] = kind.attribute === 'json' ? withDecimals(value, field) : value;
  }
  return values;
}

/**
 * Converts stored attributes to an item. `unreadable` of the item names the attributes of unknown form.
 * @throws Error if the attributes have no identifier
 *
 * Source: Specification 13.1.
 */
export function fromAttributes(description: Description, attributes: Attributes): Item {
  const unreadable: string[] = [];
  const id = identifierOf(description, attributes);
  const internal = internalOf(description.internal, attributes, unreadable);
  const values = declaredValues(description, attributes, unreadable);
  const open = attributes[OPEN];
  if (open !== undefined) {
    const document = parseStored(open.S) as JsonObject | undefined;
    if (document === undefined) unreadable.push(OPEN);
    else for (const member of Object.keys(document)) setMember(values, member, document[member] as JsonValue);
  }
  const hasBytes = Object.keys(attributes).some((name) => name.startsWith(BYTES));
  const binaries = hasBytes ? binariesOf(attributes) : undefined;
  const owner = attributes[OWNER]?.S;
  const item: Item = {
    id,
    version: Number(attributes[VERSION]?.N),
    createdAt: Number(attributes[CREATED]?.N),
    updatedAt: Number(attributes[UPDATED]?.N),
    ...authorsOf(attributes),
    ...(typeof owner === 'string' ? { owner } : {}),
    values,
    ...(binaries ? { binaries } : {}),
    internal,
  };
  return unreadable.length > 0 ? { ...item, unreadable } : item;
}

/**
 * The author of a change, with the time of the change in ms since the epoch. A later change by the previous release, or
 * by a repair, does not update the attribute. Its time then differs from that of the item, so the author is unknown.
 */
export const authorAttribute = (author: string, time: number): AttributeValue => ({ S: `${time} ${author}` });

type Authorship = Pick<Item, 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'>;

/** Returns the attributes of the authors of an item. */
export const authorAttributes = ({ createdAt, createdBy, updatedAt, updatedBy }: Authorship): Attributes => ({
  ...(createdBy === undefined ? {} : { [CREATED_BY]: authorAttribute(createdBy, createdAt) }),
  ...(updatedBy === undefined ? {} : { [UPDATED_BY]: authorAttribute(updatedBy, updatedAt) }),
});

/** Returns the authors in the stored attributes of an item. */
export function authorsOf(attributes: Attributes): Pick<Authorship, 'createdBy' | 'updatedBy'> {
  const createdBy = authorOf(attributes[CREATED_BY], attributes[CREATED]);
  const updatedBy = authorOf(attributes[UPDATED_BY], attributes[UPDATED]);
  return {
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(updatedBy === undefined ? {} : { updatedBy }),
  };
}

/** Returns the author of the change at this time; undefined if it is unknown. */
function authorOf(
  attribute: AttributeValue | undefined,
  time: AttributeValue | undefined,
): string | undefined {
  const prefix = `${time?.N} `;
  return attribute?.S?.startsWith(prefix) ? attribute.S.slice(prefix.length) : undefined;
}

/** Writes a log line for each item that this release cannot read: where it is and which attributes, without values. */
export function logUnreadable(resource: string, items: readonly Item[]): void {
  for (const { id, unreadable } of items) {
    if (unreadable) log('error', { unreadable: { resource, id, attributes: unreadable } });
  }
}

/**
 * Returns the item, for a response or a write that needs all its values.
 * @throws UnreadableItem if some of them have an unknown form: a write would lose them
 */
export function readable(resource: string, item: Item): Item {
  if (!item.unreadable) return item;
  logUnreadable(resource, [item]);
  throw new UnreadableItem();
}

/** Returns the shard of an item. It depends on the random bits of an integer id, or on a hash (FNV-1a) of a text id. */
export function shardOf(id: number | string, shards: number): number {
  if (typeof id === 'number') return id % shards;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(id)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}
