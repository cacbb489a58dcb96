import type { Fault } from '../http/problem.ts';
import { Decimal, whole } from '../json/decimal.ts';
import { findUnwritable } from '../json/text.ts';
import { emptyObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type Description, isServerField } from './description.ts';
import type { Field } from './fields.ts';
import { findFaults, type Validator } from './validate.ts';

/** The JSON value in the form this field is kept in: exact decimals, whole numbers as number. Others stay as they are. */
function kept(field: Field, value: JsonValue): JsonValue {
  if (field.kind === 'decimal' && (typeof value === 'number' || value instanceof Decimal)) {
    return Decimal.from(value).canonical();
  }
  if (field.kind === 'integer') {
    const number = whole(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  return value;
}

/**
 * Reads the values of an item from a document: server fields are left out, in a closed resource unknown ones too,
 * declared numbers take the form they are kept in. Nothing is judged.
 */
export function valuesOf(description: Description, document: JsonObject): JsonObject {
  const values = emptyObject();
  for (const name of Object.keys(document)) {
    if (isServerField(description, name)) continue;
    const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
    if (field) values[name] = kept(field, document[name] as JsonValue);
    else if (description.open) values[name] = document[name] as JsonValue;
  }
  return values;
}

/**
 * Removes the nulls of declared fields, which count as left out.
 * Returns the fields among them whose null has a meaning: a PUT keeps them unless it names them.
 *
 * Source: Specification 2.8, 2.16.
 */
export function removeNulls({ fields }: Description, values: JsonObject): string[] {
  const nulls = Object.keys(values).filter((name) => values[name] === null && Object.hasOwn(fields, name));
  for (const name of nulls) delete values[name];
  return nulls.filter((name) => fields[name]?.keptByPut);
}

/** Sets null for each field that a PUT would keep and that a complete item lacks. For the result of a patch. */
export function withRemovals({ fields }: Description, values: JsonObject): JsonObject {
  for (const [name, { keptByPut }] of Object.entries(fields)) {
    if (keptByPut && !Object.hasOwn(values, name)) values[name] = null;
  }
  return values;
}

/** The values of a PUT with the fields that it keeps: undefined takes the value from before, null removes it. */
export function withKept({ fields }: Description, values: JsonObject, before: JsonObject): JsonObject {
  const whole = { ...values };
  for (const [name, { keptByPut }] of Object.entries(fields)) {
    if (!keptByPut) continue;
    if (whole[name] === undefined && before[name] !== undefined) whole[name] = before[name];
    else if (whole[name] === null) delete whole[name];
  }
  return whole;
}

/** Gives fields that were left out their declared defaults. */
export function withDefaults(description: Description, values: JsonObject): JsonObject {
  for (const [name, field] of Object.entries(description.fields)) {
    if (field.kind === 'integer' && field.default !== undefined && !Object.hasOwn(values, name)) {
      values[name] = field.default;
    }
  }
  return values;
}

/** Everything that is wrong with an item's values: by the description, and text that XML 1.0 could not carry. */
export function faultsOf(validate: Validator, values: JsonObject): Fault[] {
  const faults = findFaults(validate, values);
  const unwritable = findUnwritable(values);
  return unwritable === undefined
    ? faults
    : [...faults, { pointer: unwritable, detail: 'contains a character that XML 1.0 cannot carry' }];
}
