import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Decimal } from '../../json/decimal.ts';
import { parseJson } from '../../json/parse.ts';
import { emptyObject, type JsonObject, type JsonValue, setMember } from '../../json/value.ts';
import type { Description } from '../../resource/description/description.ts';
import {
  attributeOf,
  type EarlierForm,
  earlierFormOf,
  type Field,
  type Fields,
} from '../../resource/description/fields.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { binariesOf, binaryAttributes } from '../binaries/attributes.ts';
import { authorAttributes, authorsOf } from './author.ts';
import { shardOf } from './identifier.ts';
import { ownerAttribute } from './owner.ts';
import { type SortValue, sortKey } from './sort-key.ts';
import {
  CREATED,
  composedFields,
  OPEN,
  OWNER,
  SCHEMA,
  SHARD,
  sortAttribute,
  UPDATED,
  VERSION,
} from './table.ts';

/** An item in the form that DynamoDB stores. */
export type Attributes = Record<string, AttributeValue>;

/** A number as a DynamoDB attribute. */
export const number = (value: number) => ({ N: String(value) });
/** A text as a DynamoDB attribute. */
export const text = (value: string) => ({ S: value });
/** An object or an array as a DynamoDB attribute: its JSON. */
export const structure = (value: unknown) => ({ S: JSON.stringify(value) });

/** Fails for an item of unreadable shape. The service never writes one, so another program changed it. */
function damaged(detail: string): never {
  throw new Error(`A stored item is damaged: ${detail}`);
}

/** Converts decimals and integers as text, so that no binary float changes them between request and storage. */
function toAttribute(value: JsonValue): AttributeValue {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return number(value);
  if (value instanceof Decimal) return { N: value.text };
  if (typeof value === 'object' && value !== null) return structure(value);
  return damaged('a declared field is neither text, number nor structure');
}

/** The value of a JSON text; undefined: the text is absent or no JSON. */
function parsed(json: string | undefined): JsonValue | undefined {
  const document = json === undefined ? undefined : parseJson(json);
  return document && 'value' in document ? document.value : undefined;
}

/** The value of an attribute in the form of this version; undefined if it has another form. */
function fromAttribute({ kind }: Field, { S: text, N: digits }: AttributeValue): JsonValue | undefined {
  if (kind === 'text' || kind === 'any') return text;
  if (kind === 'structure') return parsed(text);
  if (digits === undefined) return undefined;
  if (kind === 'decimal') return Decimal.parse(digits);
  const whole = Number(digits);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

/** The value of an attribute in an earlier form; undefined if it has another form. */
function fromEarlier({ read }: EarlierForm, { S, N }: AttributeValue, schema: number): JsonValue | undefined {
  const stored = S ?? (N === undefined ? undefined : Decimal.parse(N));
  try {
    return stored === undefined ? undefined : read(stored, schema);
  } catch {
    // A form that the description did not foresee costs this item alone.
    return undefined;
  }
}

/** A number or a text as a part of a key. */
export const keyValue = (value: number | string): AttributeValue =>
  typeof value === 'number' ? number(value) : text(value);

/** The primary key of an item as DynamoDB attributes. */
export const keyAttribute = (description: Description, id: number | string): Attributes => ({
  [description.identifier.name]: keyValue(id),
});

/**
 * The sort keys of an item's values, one for each composed order. An absent value has a sort key too, so that every
 * item appears in every list.
 */
export function sortKeys(
  resource: Pick<Resource, 'sortable' | 'description'>,
  item: Pick<Item, 'id' | 'values' | 'createdAt'>,
): Attributes {
  const keys: Attributes = {};
  for (const field of composedFields(resource)) {
    const value = field === 'createdAt' ? item.createdAt : (item.values[field] as SortValue);
    keys[sortAttribute(resource.description as Description, field)] = { B: sortKey(value, item.id) };
  }
  return keys;
}

/**
 * Whether a declared value has an attribute of its own. A field of several types has one only for a text: the release
 * before reads all its other values from the JSON text. A value of another type than its field is from a client that
 * set it before the property was declared. It stays in the JSON text.
 */
function hasOwnAttribute({ kind }: Field, value: JsonValue): boolean {
  if (kind === 'text' || kind === 'any') return typeof value === 'string';
  if (kind === 'structure') return typeof value === 'object' && !(value instanceof Decimal);
  if (kind === 'decimal') return typeof value === 'number' || value instanceof Decimal;
  return kind !== 'binary' && Number.isSafeInteger(value);
}

/** The identifier in stored attributes. @throws Error if they have none */
export function identifierOf({ identifier }: Description, attributes: Attributes): number | string {
  const { N, S } = attributes[identifier.name] ?? damaged('no identifier');
  return identifier.kind === 'integer' ? Number(N) : (S ?? damaged('no identifier'));
}

/** One attribute for each declared field, and one JSON text for all undeclared properties. */
export function valueAttributes(description: Description, values: JsonObject): Attributes {
  const attributes: Attributes = {};
  const open = emptyObject();
  let hasOpen = false;
  for (const name of Object.keys(values)) {
    const value = values[name] as JsonValue;
    const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
    if (field && hasOwnAttribute(field, value))
      attributes[attributeOf(description, name)] = toAttribute(value);
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
  const description = resource.description as Description;
  const attributes: Attributes = {
    ...keyAttribute(description, item.id),
    [SCHEMA]: number(description.version),
    [VERSION]: number(item.version),
    [CREATED]: number(item.createdAt),
    [UPDATED]: number(item.updatedAt),
    ...authorAttributes(item),
    ...ownerAttribute(resource, item.owner),
    [SHARD]: number(shardOf(item.id, shards)),
    ...valueAttributes(description, item.values),
    ...binaryAttributes(item.binaries ?? {}),
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
    const value = fromAttribute(internal[name] as Field, attribute);
    if (value === undefined) unreadable.push(`_${name}`);
    else {
      found ??= {};
      found[name] = value as string | number;
    }
  }
  return found ?? NOTHING;
}

/** The version of the description that stored these attributes. Releases before 13.1 stored none. */
export const schemaOf = (attributes: Attributes): number => Number(attributes[SCHEMA]?.N ?? 1);

/** The values of the declared fields, by name. Adds the fields whose form it does not know to `unreadable`. */
function declaredValues(description: Description, attributes: Attributes, unreadable: string[]): JsonObject {
  const { fields } = description;
  const schema = schemaOf(attributes);
  const values: JsonObject = {};
  for (const name of Object.keys(fields)) {
    const field = fields[name] as Field;
    const attribute = attributes[attributeOf(description, name)];
    if (!attribute || field.kind === 'binary') continue;
    const earlier = earlierFormOf(field);
    const value =
      earlier && schema < earlier.before
        ? fromEarlier(earlier, attribute, schema)
        : fromAttribute(field, attribute);
    if (value === undefined) unreadable.push(name);
    else values[name] = value;
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
  const values = declaredValues(description, attributes, unreadable);
  const open = attributes[OPEN];
  if (open !== undefined) {
    const document = parsed(open.S) as JsonObject | undefined;
    if (document === undefined) unreadable.push(OPEN);
    else for (const member of Object.keys(document)) setMember(values, member, document[member] as JsonValue);
  }
  const id = identifierOf(description, attributes);
  const binaries = binariesOf(description, id, attributes);
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
    internal: internalOf(description.internal, attributes, unreadable),
  };
  return unreadable.length > 0 ? { ...item, unreadable } : item;
}
