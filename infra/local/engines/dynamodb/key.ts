import { invalid, invalidParameter } from './faults.ts';
import type { Index, KeyPart, KeyShape, Table } from './tables.ts';
import { attribute, type Item, orderedBytes, typeOf, type Value } from './value.ts';

/** A key as bytes that sort as DynamoDB sorts. `sk` is empty where there is no sort key. */
export interface Key {
  pk: Buffer;
  sk: Buffer;
}

const NONE = Buffer.alloc(0);
const MAX_HASH = 2048;
const MAX_RANGE = 1024;

/**
 * The table key an item holds.
 *
 * @throws ValidationException when a part is missing, empty, too long or of the wrong type
 */
export function keyOfItem(table: Table, item: Item): Key {
  const part = ({ name, type }: KeyPart, limit: number): Buffer => {
    const value = attribute(item, name);
    if (!value) throw invalidParameter(`Missing the key ${name} in the item`);
    if (typeOf(value) !== type) {
      throw invalidParameter(`Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`);
    }
    return keyBytes(name, value, limit);
  };
  return { pk: part(table.hash, MAX_HASH), sk: table.range ? part(table.range, MAX_RANGE) : NONE };
}

/** The key in a `Key` member, which must hold the key attributes and nothing else. */
export function keyOf(table: Table, key: Item): Key {
  for (const { name, type } of parts(table)) {
    const value = attribute(key, name);
    if (!value || typeOf(value) !== type) throw invalid('The provided key element does not match the schema');
  }
  if (Object.keys(key).length !== parts(table).length) {
    throw invalid('The number of conditions on the keys is invalid');
  }
  return keyOfItem(table, key);
}

/**
 * The index key an item holds; undefined if it lacks a part and so is absent from the index.
 *
 * @throws ValidationException when a part is empty, too long or of the wrong type
 */
export function indexKeyOf(index: Index, item: Item): Key | undefined {
  const found: Buffer[] = [];
  for (const { name, type } of parts(index)) {
    const value = attribute(item, name);
    if (!value) continue;
    if (typeOf(value) !== type) {
      throw invalidParameter(
        `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index.name}`,
      );
    }
    found.push(keyBytes(name, value, name === index.hash.name ? MAX_HASH : MAX_RANGE, index.name));
  }
  if (found.length < parts(index).length) return undefined;
  return { pk: found[0] as Buffer, sk: found[1] ?? NONE };
}

/** Hash and, if there is one, range. */
export function parts({ hash, range }: KeyShape): KeyPart[] {
  return range ? [hash, range] : [hash];
}

/** The key attributes of a table and one of its indexes: what a KEYS_ONLY projection and a page key hold. */
export function keyAttributes(table: Table, index?: Index): string[] {
  return [...new Set([...(index ? parts(index) : []), ...parts(table)].map(({ name }) => name))];
}

function keyBytes(name: string, value: Value, limit: number, index?: string): Buffer {
  const bytes = orderedBytes(value) as Buffer;
  if (bytes.length === 0) {
    throw invalidParameter(
      index
        ? `The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`
        : `The AttributeValue for a key attribute cannot contain an empty ${value.B === undefined ? 'string' : 'binary'} value. Key: ${name}`,
    );
  }
  if (bytes.length > limit) {
    const which = limit === MAX_HASH ? 'hashkey' : 'rangekey';
    throw invalidParameter(`Size of ${which} has exceeded the maximum size limit of${limit} bytes`);
  }
  // A lone surrogate has no UTF-8 form: two different keys would become one.
  if (value.S !== undefined && !value.S.isWellFormed())
    throw invalidParameter(`Key ${name} is not valid UTF-8`);
  return bytes;
}
