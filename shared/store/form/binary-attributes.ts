import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Description } from '../../resource/description/description.ts';
import type { Item, StoredBinary } from '../../resource/item.ts';
import type { BinaryChanges } from '../write/bind-binaries.ts';
import { BYTES } from './table.ts';

type Attributes = Record<string, AttributeValue>;

const attributeOf = (name: string): string => BYTES + name;

/** Returns one attribute for each binary property. */
export const binaryAttributes = (binaries: Readonly<Record<string, StoredBinary>>): Attributes =>
  Object.fromEntries(
    Object.entries(binaries).map(([name, stored]) => [attributeOf(name), { S: JSON.stringify(stored) }]),
  );

/** Returns the undeclared ones among these properties. An item may have bytes under such a name. */
export const undeclaredIn = ({ fields }: Description, names: readonly string[]): string[] =>
  names.filter((name) => !Object.hasOwn(fields, name));

/**
 * The attributes that a write sets and removes. A property that gets a value loses its bytes. `names`: the properties
 * that get values. `before`: the item, if the write requires its version; undefined: it may have bytes under each name.
 */
export function changedBinaryAttributes(
  description: Description,
  { set, remove }: BinaryChanges,
  names: readonly string[],
  before?: Item,
): { readonly set: Attributes; readonly removable: readonly string[] } {
  const { binaries = {} } = before ?? {};
  const undeclared = undeclaredIn(description, names).filter(
    (name) => !before || Object.hasOwn(binaries, name),
  );
  return {
    set: binaryAttributes(set),
    removable: [...new Set([...remove, ...undeclared])].map(attributeOf),
  };
}

/** Reads the binary properties of an item; undefined if it has none. */
export function binariesOf(attributes: Attributes): Readonly<Record<string, StoredBinary>> | undefined {
  let found: Record<string, StoredBinary> | undefined;
  for (const attribute of Object.keys(attributes)) {
    if (!attribute.startsWith(BYTES)) continue;
    found ??= Object.create(null) as Record<string, StoredBinary>;
    found[attribute.slice(BYTES.length)] = JSON.parse(attributes[attribute]?.S ?? '') as StoredBinary;
  }
  return found;
}

/** Returns the keys of all bytes that the attributes of an item name. */
export const namedKeys = (attributes: Attributes): string[] =>
  Object.values(binariesOf(attributes) ?? {}).map(({ key }) => key);
