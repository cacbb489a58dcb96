import { isJson, type Json, members, type Resolve } from './json.ts';

/** Keywords that allow less with a smaller value, and those that allow less with a larger value. */
export const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
export const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

/** Returns the elements of an array, or a single value as the only element. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/**
 * Returns the forms that a value of a schema can have: schemas without `allOf`, `anyOf`, `oneOf` and `const`. A value
 * that a branch of `oneOf` allows counts as allowed, also if two branches allow it.
 *
 * Source: JSON Schema 2020-12 §10.2.1; JSON Schema Validation 2020-12 §6.1.3.
 */
export function forms(value: unknown, resolve: Resolve): readonly Json[] {
  const schema = resolve(value);
  if (!schema) return [];
  const { allOf, anyOf, oneOf, const: only, ...rest } = schema;
  const base = only === undefined ? rest : { ...rest, enum: [only] };
  const parts = listOf(allOf).map((one) => forms(one, resolve));
  for (const branches of [anyOf, oneOf])
    if (branches !== undefined) parts.push(listOf(branches).flatMap((one) => forms(one, resolve)));
  return parts.reduce<readonly Json[]>(
    (all, more) => all.flatMap((one) => more.map((other) => both(one, other))),
    ofEachType(base),
  );
}

/** Returns a form for each type, if there are several other than null. */
function ofEachType(schema: Json): readonly Json[] {
  const types = listOf(schema.type);
  return types.filter((type) => type !== 'null').length > 1
    ? types.map((type) => ({ ...schema, type }))
    : [schema];
}

/** Returns the schema of the values that two schemas allow. */
function both(one: Json, other: Json): Json {
  const merged: Record<string, unknown> = { ...one };
  for (const [name, value] of members(other))
    merged[name] = one[name] === undefined ? value : together(name, one[name], value);
  return merged;
}

function together(keyword: string, one: unknown, other: unknown): unknown {
  if (UPPER.includes(keyword)) return Math.min(Number(one), Number(other));
  if (LOWER.includes(keyword)) return Math.max(Number(one), Number(other));
  if (keyword === 'required') return [...new Set([...listOf(one), ...listOf(other)])];
  if (keyword === 'type' || keyword === 'enum')
    return listOf(one).filter((value) => listOf(other).includes(value));
  if (keyword === 'properties') {
    const old = isJson(one) ? one : {};
    const shared = members(other).map(([name, schema]) => [
      name,
      old[name] === undefined ? schema : { allOf: [old[name], schema] },
    ]);
    return { ...old, ...Object.fromEntries(shared) };
  }
  return other;
}
