import { emptyObject, type JsonObject } from '../../json/value.ts';
import type { StoredBinary } from '../../resource/binary.ts';
import { attributeOf } from '../../resource/description/attribute.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Field } from '../../resource/description/fields.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { changedBinaryAttributes } from '../binaries/attributes.ts';
import { type BinaryChanges, NO_CHANGES } from '../binaries/bind.ts';
import { type Attributes, number, sortKeys, valueAttributes } from '../items/attributes.ts';
import { OPEN, SCHEMA, sortAttribute } from '../items/table.ts';

/**
 * The attributes that a replacement of the values sets, with new sort keys, and those that it removes if it does not
 * set them. Server fields and `unchanged` ones stay if `values` lacks them.
 */
export function replacedAttributes(
  resource: Resource,
  id: number | string,
  values: JsonObject,
  unchanged: readonly string[],
  binaries: BinaryChanges = NO_CHANGES,
): { readonly set: Attributes; readonly removable: readonly string[] } {
  const description = resource.description as Description;
  // The creation time stays, and with it its sort key.
  const { [sortAttribute(description, 'createdAt')]: _, ...keys } = sortKeys(resource, {
    id,
    values,
    createdAt: 0,
  });
  const { fields } = description;
  const isRemovable = (name: string) =>
    !isLeft(fields[name]) && fields[name]?.kind !== 'binary' && !unchanged.includes(name);
  const bytes = changedBinaryAttributes(description, binaries, Object.keys(values));
  return {
    set: {
      [SCHEMA]: number(description.version),
      ...valueAttributes(description, values),
      ...keys,
      ...bytes.set,
    },
    removable: [
      ...Object.keys(fields)
        .filter(isRemovable)
        .map((name) => attributeOf(description, name)),
      OPEN,
      ...bytes.removable,
    ],
  };
}

/** Whether a replacement leaves the value of a field: the service sets it, and computes it from no other value. */
const isLeft = (field: Field | undefined): boolean => field?.server === true && !field.computed;

/** The item after a replacement of its values at the time `now` by the caller `by`. */
export function afterReplacement(
  { fields }: Description,
  before: Item,
  values: JsonObject,
  { now, by }: { readonly now: number; readonly by?: string | undefined },
  unchanged: readonly string[] = [],
  { set, remove }: BinaryChanges = NO_CHANGES,
): Item {
  const left = emptyObject();
  for (const [name, field] of Object.entries(fields)) {
    const value = before.values[name];
    if ((isLeft(field) || unchanged.includes(name)) && value !== undefined) left[name] = value;
  }
  const { binaries: _, ...others } = before;
  const item = {
    ...others,
    version: before.version + 1,
    updatedAt: now,
    updatedBy: by,
    values: Object.assign(left, values),
  };
  const binaries: Record<string, StoredBinary> = Object.assign(Object.create(null), before.binaries);
  for (const name of [...remove, ...Object.keys(values)]) delete binaries[name];
  Object.assign(binaries, set);
  return Object.keys(binaries).length > 0 ? { ...item, binaries } : item;
}
