import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Description } from '../../resource/description/description.ts';
import type { BinaryField } from '../../resource/description/field-facts.ts';
import type { StoredBinary } from '../../resource/item.ts';
import type { BinaryChanges } from './bind.ts';

type Attributes = Record<string, AttributeValue>;

/** The attribute with the bytes of a binary property begins with this, and ends with the name of the property. */
const PREFIX = '_bytes_';

const attributeOf = (name: string): string => PREFIX + name;

/** One attribute for each binary property. */
export const binaryAttributes = (binaries: Readonly<Record<string, StoredBinary>>): Attributes =>
  Object.fromEntries(
    Object.entries(binaries).map(([name, stored]) => [attributeOf(name), { S: JSON.stringify(stored) }]),
  );

/**
 * The attributes that a write sets and removes. A property that gets a value loses its bytes. `names`: the properties
 * that get values.
 */
export function changedBinaryAttributes(
  description: Description,
  { set, remove }: BinaryChanges,
  names: readonly string[],
): { readonly set: Attributes; readonly removable: readonly string[] } {
  const changed = [...Object.keys(set), ...remove];
  const undeclared = names.filter((name) => !Object.hasOwn(description.fields, name));
  return {
    set: binaryAttributes(set),
    removable: [
      ...[...new Set([...remove, ...undeclared])].map(attributeOf),
      ...earlierFields(description).flatMap(([name, { type }]) =>
        changed.includes(name) ? [`_${type}`] : [],
      ),
    ],
  };
}

/**
 * Reads the binary properties of an item; undefined if it has none. The object of an earlier release has precedence,
 * because every write of this release removes its mark.
 */
export function binariesOf(
  description: Description,
  id: number | string,
  attributes: Attributes,
): Readonly<Record<string, StoredBinary>> | undefined {
  let found: Record<string, StoredBinary> | undefined;
  for (const attribute of Object.keys(attributes)) {
    if (!attribute.startsWith(PREFIX)) continue;
    found ??= Object.create(null) as Record<string, StoredBinary>;
    found[attribute.slice(PREFIX.length)] = JSON.parse(attributes[attribute]?.S ?? '') as StoredBinary;
  }
  for (const [name, { objects, type }] of earlierFields(description)) {
    const contentType = attributes[`_${type}`]?.S;
    if (contentType === undefined) continue;
    found ??= Object.create(null) as Record<string, StoredBinary>;
    found[name] = { key: `${objects}${id}`, contentType };
  }
  return found;
}

/** The keys of all bytes that the attributes of an item name. */
export function namedKeys(description: Description, id: number | string, attributes: Attributes): string[] {
  const own = Object.keys(attributes).flatMap((attribute) =>
    attribute.startsWith(PREFIX) ? [(JSON.parse(attributes[attribute]?.S ?? '') as StoredBinary).key] : [],
  );
  const earlier = earlierFields(description).flatMap(([, { objects, type }]) =>
    attributes[`_${type}`] ? [`${objects}${id}`] : [],
  );
  return [...own, ...earlier];
}

type Earlier = readonly (readonly [string, NonNullable<BinaryField['earlier']>])[];

const known = new WeakMap<Description, Earlier>();

/** The properties that an earlier release stored in another way. Every item of a list needs them, so a map has them. */
function earlierFields(description: Description): Earlier {
  const cached = known.get(description);
  if (cached) return cached;
  const found = Object.entries(description.fields).flatMap(([name, field]) =>
    field.kind === 'binary' && field.earlier ? [[name, field.earlier] as const] : [],
  );
  known.set(description, found);
  return found;
}
