import type { Fault } from '../../http/problem.ts';
import { findUnwritable } from '../../json/text.ts';
import { emptyObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { kindOf } from '../kinds/kinds.ts';
import { withComputed } from './computed.ts';
import { type Description, isServerField } from './description.ts';
import type { Field } from './fields.ts';
import { findFaults, type Validator } from './validate.ts';

/**
 * Reads the values of an item from a document, without validation. It leaves out server fields, and in a closed
 * resource also unknown ones. Declared values get their stored form.
 */
export function valuesOf(description: Description, document: JsonObject): JsonObject {
  const values = emptyObject();
  for (const name of Object.keys(document)) {
    if (isServerField(description, name)) continue;
    const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
    if (field) values[name] = kindOf(field).stored(document[name] as JsonValue, field);
    else if (description.open) values[name] = document[name] as JsonValue;
  }
  return values;
}

/**
 * Removes the nulls of declared fields, which count as left out. Returns the relations among them: their null
 * removes the relation.
 *
 * Source: Specification 2.8, 2.16.
 */
export function removeNulls({ fields }: Description, values: JsonObject): string[] {
  const nulls = Object.keys(values).filter((name) => values[name] === null && Object.hasOwn(fields, name));
  for (const name of nulls) delete values[name];
  return nulls.filter((name) => fields[name]?.keptByPut);
}

/**
 * Sets null for each relation that the result of a patch lacks. Otherwise the write would keep it, as a PUT does.
 */
export function withRemovals({ fields }: Description, values: JsonObject): JsonObject {
  for (const [name, { keptByPut }] of Object.entries(fields)) {
    if (keptByPut && !Object.hasOwn(values, name)) values[name] = null;
  }
  return values;
}

/** The values of a PUT, completed by relations: undefined keeps the value from before, null removes it. */
export function withKept({ fields }: Description, values: JsonObject, before: JsonObject): JsonObject {
  const whole = { ...values };
  for (const [name, { keptByPut }] of Object.entries(fields)) {
    if (!keptByPut) continue;
    if (whole[name] === undefined && before[name] !== undefined) whole[name] = before[name];
    else if (whole[name] === null) delete whole[name];
  }
  return whole;
}

/**
 * Sets the declared default of each field that the document leaves out, then the computed values. `kept`: fields whose
 * values the write keeps. If there are any, the computed values need the item, and this function leaves them out.
 */
export function withDefaults(
  description: Description,
  values: JsonObject,
  kept: readonly string[] = [],
): JsonObject {
  for (const [name, field] of Object.entries(description.fields)) {
    const value = kept.includes(name) ? undefined : defaultOf(field);
    if (value !== undefined && !Object.hasOwn(values, name)) values[name] = value;
  }
  return kept.length > 0 ? values : withComputed(description, values);
}

/** The stored form of a declared default; undefined if the field has none. */
function defaultOf(field: Field): JsonValue | undefined {
  const value = 'default' in field ? field.default : undefined;
  return value === undefined ? undefined : kindOf(field).stored(value, field);
}

/** All faults of an item's values: by the description, and for text that XML 1.0 cannot carry. */
export function faultsOf(validate: Validator, values: JsonObject): Fault[] {
  const faults = findFaults(validate, values);
  const unwritable = findUnwritable(values);
  return unwritable === undefined
    ? faults
    : [...faults, { pointer: unwritable, detail: 'contains a character that XML 1.0 cannot carry' }];
}
