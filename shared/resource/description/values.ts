import { type Fault, type Problem, problem } from '../../http/problem.ts';
import { parsePointer } from '../../json/pointer.ts';
import { findUnwritable } from '../../json/text.ts';
import { emptyObject, type JsonObject, type JsonValue, sameMember } from '../../json/value.ts';
import type { Description, Field, Plan } from './description.ts';
import { findFaults, type SchemaValidator } from './validate.ts';

/**
 * Maximum bytes of the JSON text of an item: the store takes at most 400 KB with all attributes. Source: Specification
 * 10.10.
 */
export const MAXIMUM_ENTITY = 256 * 1024;

/** Maximum bytes of it with the values of the service. Sort keys and the names of bytes are in the rest. */
export const MAXIMUM_VALUES = 320 * 1024;

/** Returns the problem of values that are too long. */
export const tooLargeEntity = (
  advice = `An item has at most ${MAXIMUM_ENTITY} bytes. Store large values as files`,
): Problem<'payload-too-large'> =>
  problem('payload-too-large', advice, { members: { maximum: MAXIMUM_ENTITY } });

/**
 * Reads the values of an item from a document, without validation. It leaves out server fields, and in a closed
 * resource also unknown ones. Declared values get their stored form.
 */
export function valuesOf(description: Description, document: JsonObject): JsonObject {
  const { fields, server } = description.plan;
  const values = emptyObject();
  for (const name of Object.keys(document)) {
    if (server.has(name)) continue;
    const planned = fields.get(name);
    if (planned) values[name] = planned.kind.stored(document[name] as JsonValue, planned.field);
    else if (description.open) values[name] = document[name] as JsonValue;
  }
  return values;
}

/**
 * Removes the nulls of declared fields, which count as left out. Returns those that a PUT keeps: their null
 * removes the value.
 *
 * Source: Specification 2.8, 2.16.
 */
export function removeNulls({ fields }: Description, values: JsonObject): string[] {
  const nulls = Object.keys(values).filter((name) => values[name] === null && Object.hasOwn(fields, name));
  for (const name of nulls) delete values[name];
  return nulls.filter((name) => fields[name]?.keptByPut);
}

/**
 * Sets null for each field that a PUT keeps and these values lack. Otherwise the write would keep its stored value.
 */
export function withRemovals(description: Description, values: JsonObject): JsonObject {
  const removed = description.plan.keptByPut.filter((name) => !Object.hasOwn(values, name));
  if (removed.length === 0) return values;
  const whole = Object.assign(emptyObject(), values);
  for (const name of removed) whole[name] = null;
  return whole;
}

/** Sets the declared default of each field that the document leaves out. */
export const withDefaults = (description: Description, values: JsonObject): JsonObject =>
  addDefaults(description.plan, values);

/** `kept`: the fields without a default, because the write keeps their values. */
function addDefaults({ defaulted }: Plan, values: JsonObject, kept: readonly string[] = []): JsonObject {
  for (const [{ name, field, kind }, value] of defaulted)
    if (!kept.includes(name) && !Object.hasOwn(values, name)) values[name] = kind.stored(value, field);
  return values;
}

/**
 * Sets the defaults of an update, and null for each value that it removes. A field that a PUT keeps gets no default,
 * because its value can be removed. `removed`: the fields that `removeNulls` returned. `kept`: further fields whose
 * values the write keeps.
 */
export function withUpdateDefaults(
  description: Description,
  values: JsonObject,
  {
    removed = [],
    kept = [],
  }: { readonly removed?: readonly string[]; readonly kept?: readonly string[] | undefined },
): JsonObject {
  for (const name of removed) values[name] = null;
  const plan = description.plan;
  return addDefaults(plan, values, [...plan.keptByPut, ...kept]);
}

/** True if values are too long, with defaults and with what a check computes. `most`: their maximum bytes. */
export const isTooLarge = (values: JsonObject, most = MAXIMUM_ENTITY): boolean =>
  Buffer.byteLength(JSON.stringify(values)) > most;

/**
 * Returns all faults of an item's values: by the description, and for text that XML 1.0 cannot carry. `stored`: the
 * values before a partial change.
 */
export function faultsOf(validate: SchemaValidator, values: JsonObject, stored?: JsonObject): Fault[] {
  const found = findFaults(validate, values);
  const faults = stored && found.length > 0 ? faultsOfChange(found, values, stored) : found;
  const unwritable = findUnwritable(values);
  return unwritable === undefined
    ? faults
    : [...faults, { pointer: unwritable, detail: 'contains a character that XML 1.0 cannot carry' }];
}

/**
 * Returns the faults of the properties that a change sets or removes. A property that stays as it is needs to meet no
 * rule that a later release has added. `stored`: the values before the change.
 *
 * Source: Specification 2.50.
 */
export const faultsOfChange = (faults: Fault[], values: JsonObject, stored: JsonObject): Fault[] =>
  faults.filter(({ pointer = '' }) => {
    const [name] = parsePointer(pointer) ?? [];
    return name === undefined || !sameMember(values[name], stored[name]);
  });

/**
 * Returns a field whose value the service computes at each write from the values that clients set. Clients cannot set
 * it. Lists can sort and filter by it. Items of an earlier release get it at their next write.
 *
 * @param of gets the values in their stored form: decimals as `Decimal`. It returns undefined for no value.
 */
export const computed = <Kind extends Field>(
  field: Kind,
  of: (values: JsonObject) => JsonValue | undefined,
): Kind => ({ ...field, server: true, computed: of });

/** Returns the values of an item with those that each response computes. `now`: its time in ms since the epoch. */
export function withValuesAtReading(
  { atReading: all }: Pick<Plan, 'atReading'>,
  values: JsonObject,
  now: number,
): JsonObject {
  if (all.length === 0) return values;
  const clock = { now, today: new Date(now).toISOString().slice(0, 10) };
  const whole = Object.assign(emptyObject(), values);
  for (const [name, of] of all) {
    const value = of(values, clock);
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

/** Returns the names of the stored values from which a value at reading comes. */
export function namesReadBy(of: NonNullable<Field['atReading']>): string[] {
  const names = new Set<string>();
  const values = new Proxy<JsonObject>({}, { get: (_target, name) => void names.add(String(name)) });
  try {
    of(values, { now: 0, today: '1970-01-01' });
  } catch {
    // The code expects values that these lack.
  }
  return [...names];
}

/** Returns the values of an item with its computed values. The store calls it at each write. */
export function withComputed({ computed: all }: Pick<Plan, 'computed'>, values: JsonObject): JsonObject {
  if (all.length === 0) return values;
  const whole = Object.assign(emptyObject(), values);
  for (const [name, of] of all) {
    const value = of(whole);
    if (value === undefined) delete whole[name];
    else whole[name] = value;
  }
  return whole;
}
