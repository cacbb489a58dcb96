import { invalid } from '../fault.ts';
import type { Index, KeyPart, KeyShape, Table } from './tables/table.ts';
import { attribute, type Item, orderedBytes, typeOf, type Value } from './values/value.ts';

/** A key as bytes, in the order of DynamoDB. `sk` is empty if there is no range key. */
export interface Key {
  pk: Buffer;
  sk: Buffer;
}

/**
 * Returns the key of an item in a table or an index; undefined if a part is missing, so that the index omits the
 * item.
 * @throws ValidationException if a part is empty, too long or of the wrong type
 */
export function keyIn({ key: shape }: { key: KeyShape }, item: Item): Key | undefined {
  const found = shape.flatMap((part) => {
    const value = attribute(item, part.name);
    return value ? [keyBytes(part, value)] : [];
  });
  const [pk, sk = Buffer.alloc(0)] = found;
  return pk && found.length === shape.length ? { pk, sk } : undefined;
}

/** The table key in an `Item`, or in a `Key` member, which must hold the key attributes and nothing else. */
export function keyOf(table: Table, item: Item, isKey = true): Key {
  const key = keyIn(table, item);
  if (key && (!isKey || Object.keys(item).length === table.key.length)) return key;
  throw invalid('The provided key does not match the schema, or is missing');
}

/** The names of the key attributes of a table and of one of its indexes, as in the start key of a page. */
export function keyNames(table: Table, index?: Index): string[] {
  return [...new Set([...(index?.key ?? []), ...table.key].map(({ name }) => name))];
}

/** The bytes of one part of a key. @throws ValidationException when it is empty, too long or of the wrong type */
export function keyBytes({ name, type, limit }: KeyPart, value: Value): Buffer {
  const bytes = typeOf(value) === type ? orderedBytes(value) : undefined;
  if (!bytes) throw invalid(`Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`);
  if (bytes.length === 0) throw invalid(`The key attribute ${name} cannot have an empty value`);
  if (bytes.length > limit) throw invalid(`The key attribute ${name} is longer than ${limit} bytes`);
  // A lone surrogate has no UTF-8 form, so two different keys would have the same bytes.
  if (value.S?.isWellFormed() === false) throw invalid(`Key ${name} is not valid UTF-8`);
  return bytes;
}
