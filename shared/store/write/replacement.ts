import { emptyObject, type JsonObject } from '../../json/value.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { type Attributes, sortKeys, valueAttributes } from '../items/attributes.ts';
import { composedFields, OPEN, sortAttribute } from '../items/table.ts';

/**
 * The attributes that a replacement of the values sets, with new sort keys, and those that it removes if it does not
 * set them. Server fields and `unchanged` ones stay if `values` lacks them.
 */
export function replacedAttributes(
  resource: Resource,
  id: number | string,
  values: JsonObject,
  unchanged: readonly string[],
): { readonly set: Attributes; readonly removable: readonly string[] } {
  const description = resource.description as Description;
  const set = valueAttributes(description, values);
  // The creation time stays, and with it its sort key.
  const keys = sortKeys(resource, { id, values, createdAt: 0 });
  for (const field of composedFields(resource)) {
    if (field !== 'createdAt') Object.assign(set, { [sortAttribute(field)]: keys[sortAttribute(field)] });
  }
  const { fields } = description;
  const isRemovable = (name: string) => !fields[name]?.server && !unchanged.includes(name);
  return { set, removable: [...Object.keys(fields).filter(isRemovable), OPEN] };
}

/** The item after a replacement of its values. */
export function afterReplacement(
  { fields }: Description,
  before: Item,
  values: JsonObject,
  now: number,
  unchanged: readonly string[] = [],
): Item {
  const left = emptyObject();
  for (const [name, { server }] of Object.entries(fields)) {
    const value = before.values[name];
    if ((server || unchanged.includes(name)) && value !== undefined) left[name] = value;
  }
  return { ...before, version: before.version + 1, updatedAt: now, values: Object.assign(left, values) };
}
