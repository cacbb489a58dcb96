import { emptyObject, type JsonObject } from '../../json/value.ts';
import type { Description } from '../../resource/description.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { type Attributes, sortKeys, valueAttributes } from '../items/attributes.ts';
import { composedFields, OPEN, sortAttribute, UPDATED, WRITE } from '../items/table.ts';
import { type Update, updateExpression } from './update-expression.ts';

/** The conditions of a replacement. `unchanged`: fields that keep their value if `values` lacks them. */
interface ReplacementFacts {
  readonly now: number;
  readonly version?: number;
  readonly same: readonly string[];
  readonly unchanged?: readonly string[];
  readonly write: string;
}

/**
 * The update that replaces the values of an item. It removes fields that `values` lacks, except server fields and
 * `unchanged` ones, and replaces the sort keys. `write` is the token of this write.
 */
export function replacementOf(
  resource: Resource,
  id: number | string,
  values: JsonObject,
  { now, version, same, unchanged = [], write }: ReplacementFacts,
): Update {
  const description = resource.description as Description;
  const wanted: Attributes = {
    [UPDATED]: { N: String(now) },
    [WRITE]: { S: write },
    ...valueAttributes(description, values),
  };
  // The creation time stays, and with it its sort key.
  const keys = sortKeys(resource, { id, values, createdAt: 0 });
  for (const field of composedFields(resource)) {
    if (field !== 'createdAt') Object.assign(wanted, { [sortAttribute(field)]: keys[sortAttribute(field)] });
  }
  const { fields, identifier } = description;
  const isRemovable = (name: string) => !fields[name]?.server && !unchanged.includes(name);
  const removable = [...Object.keys(fields).filter(isRemovable), OPEN];
  return updateExpression(identifier.name, wanted, removable, version, same);
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
