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
