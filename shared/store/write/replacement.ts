import { emptyObject, type JsonObject, jsonEqual } from '../../json/value.ts';
import type { Caller } from '../../resource/access/owner.ts';
import type { Plan } from '../../resource/description/description.ts';
import { withComputed } from '../../resource/description/values.ts';
import type { Item, StoredBinary } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { number, sortKeys, valueAttributes } from '../form/attributes.ts';
import { changedBinaryAttributes } from '../form/binary-attributes.ts';
import { OPEN, SCHEMA, sortAttribute } from '../form/table.ts';
import { type BinaryChanges, NO_CHANGES } from './bind-binaries.ts';

/**
 * Returns the fields whose value a replacement leaves because `values` lacks them: those of the service that it does
 * not compute, and those that a PUT keeps. A null removes the value. Source: Specification 2.8.
 */
export const leftFields = ({ left }: Plan, values: JsonObject): string[] =>
  left.filter((name) => values[name] === undefined);

/**
 * Sets null for each field that a replacement would leave and these values lack. The replacement then stores just these
 * values, also of fields that only the service sets.
 */
export function wholeValues(plan: Plan, values: JsonObject): JsonObject {
  const whole = Object.assign(emptyObject(), values);
  for (const name of leftFields(plan, values)) whole[name] = null;
  return whole;
}

/** Returns the values to store: those without a null that removes a value, and with the computed ones. */
function storedValues(plan: Plan, values: JsonObject): JsonObject {
  const removed = plan.left.filter((name) => values[name] === null);
  if (removed.length === 0) return withComputed(plan, values);
  const others = Object.assign(emptyObject(), values);
  for (const name of removed) delete others[name];
  return withComputed(plan, others);
}

/**
 * Returns the attributes that a replacement of the values sets, with new sort keys, and those that it removes if it
 * does not set them. `before`: the item, if the replacement requires its version.
 */
export function replacedAttributes(
  resource: Resource,
  id: number | string,
  sent: JsonObject,
  { binaries = NO_CHANGES, before }: { readonly binaries?: BinaryChanges; readonly before?: Item } = {},
): { readonly set: Attributes; readonly removable: readonly string[] } {
  const description = descriptionOf(resource);
  const plan = description.plan;
  const values = storedValues(plan, sent);
  const left = leftFields(plan, sent);
  const keys = sortKeys(resource, { id, values, createdAt: 0 });
  // The creation time stays as well, and so do the sort keys of these values.
  for (const name of ['createdAt', ...left]) delete keys[sortAttribute(description, name)];
  const hasBytes = binaries !== NO_CHANGES || !before || before.binaries !== undefined;
  const bytes = hasBytes
    ? changedBinaryAttributes(description, binaries, Object.keys(values), before)
    : { set: {}, removable: [] };
  return {
    set: {
      [SCHEMA]: number(description.version),
      ...valueAttributes(description, values),
      ...keys,
      ...bytes.set,
    },
    removable: [
      ...[...plan.fields.values()].flatMap(({ name, field, attribute }) =>
        field.kind === 'binary' || left.includes(name) ? [] : [attribute],
      ),
      OPEN,
      ...bytes.removable,
    ],
  };
}

/** Returns the item after a replacement of its values at the time `now` by a caller. */
export function afterReplacement(
  plan: Plan,
  before: Item,
  values: JsonObject,
  { now, caller }: { readonly now: number; readonly caller: Caller },
  binaries: BinaryChanges = NO_CHANGES,
): Item {
  const left = leftFields(plan, values);
  const whole = left.length > 0 ? Object.assign(emptyObject(), values) : values;
  for (const name of left) {
    const value = before.values[name];
    if (value !== undefined) whole[name] = value;
  }
  const stored = storedValues(plan, whole);
  const after = {
    ...before,
    version: before.version + 1,
    updatedAt: now,
    updatedBy: caller.subject,
    values: stored,
  };
  return withChangedBinaries(after, binaries);
}

/**
 * True if a replacement changes neither values nor bytes. The service then writes nothing: version, time and author of
 * the item stay. Source: Specification 3.6.
 */
export function isUnchanged(before: Item, after: Item): boolean {
  const { binaries: old = {} } = before;
  const { binaries: now = {} } = after;
  const names = Object.keys(now);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => Object.hasOwn(old, name) && old[name]?.key === now[name]?.key) &&
    jsonEqual(before.values, after.values)
  );
}

/** Returns the item after changes of its binary properties. A property with a value has no bytes. */
export function withChangedBinaries(
  { binaries: before, ...item }: Item,
  { set, remove }: BinaryChanges,
): Item {
  const binaries: Record<string, StoredBinary> = Object.assign(Object.create(null), before);
  for (const name of [...remove, ...Object.keys(item.values)]) delete binaries[name];
  Object.assign(binaries, set);
  return Object.keys(binaries).length > 0 ? { ...item, binaries } : item;
}
