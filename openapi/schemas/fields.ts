import { fieldSchema } from '../../service/validation/json-schema.ts';
import { MAXIMUM_BODY } from '../../shared/http/maximum-sizes.ts';
import type { Description, Field, Fields } from '../../shared/resource/description/description.ts';
import type { BinaryField } from '../../shared/resource/description/field-types.ts';
import { integer, text } from '../../shared/resource/description/fields.ts';
import type { Schema } from '../model.ts';

/** Returns the schema of an item's identifier. */
export function identifierSchema({ identifier }: Description): Schema {
  const { label, kind, pattern, maximum = 1000, example } = identifier;
  if (kind === 'integer') return fieldSchema(integer(label, { example }), 'document');
  const schema = fieldSchema(text(label, { maximum, example }), 'document');
  return { ...schema, minLength: 1, ...(pattern === undefined ? {} : { pattern }) };
}

/** Returns an identifier in a request, also as its decimal text. Longer texts are valid too. Source: Specification 2.3. */
export const orDecimalText = ({ type, format, minimum, maximum, ...annotations }: Schema): Schema => ({
  ...annotations,
  oneOf: [
    { type, format, minimum, maximum },
    { type: 'string', maxLength: 15, pattern: '^(?:0|[1-9][0-9]{0,14})$' },
  ],
});

/** Canonical base64: the unused bits of the last character are 0. Source: RFC 4648 §3.5, §4. */
export const BASE64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?';

/**
 * Returns the schema of a binary property in a request: the object that GET shows, or new bytes. Other spellings of `data:`
 * URIs are valid too.
 *
 * Source: Specification 2.24, 2.25; RFC 2397 §3.
 */
function orDataUri({ description: _shown, ...schema }: Schema, { accepts }: BinaryField): Schema {
  const mediaType = accepts.replace(/[.+]/g, '\\$&').replace('*', '[a-z0-9]{1,40}');
  return {
    description:
      'A `data:` URI sets the bytes, and null removes them. The object of a response leaves them, as a PUT without it does.',
    oneOf: [
      schema,
      { type: 'string', maxLength: MAXIMUM_BODY, pattern: `^data:${mediaType};base64,${BASE64}$` },
    ],
  };
}

/** Returns the schema of a declared property in a request. Source: Specification 2.7, 2.8. */
export function sentSchema(shown: Schema, field: Field): Schema {
  if (field.kind === 'binary') return orDataUri(shown, field);
  // No request can set a retired choice.
  if (field.kind === 'text' && field.retired) return { ...shown, enum: field.choices };
  const description = `${shown.description} A PUT without it keeps it, and null removes it.`;
  const schema = field.keptByPut ? { ...shown, description } : shown;
  return withReference(schema, field);
}

/**
 * Returns the schema of a property in a request, also as decimal text if it is an identifier. `x-refers-to` is the path
 * of the collection whose items it names.
 */
export function withReference(schema: Schema, field: Field | undefined): Schema {
  if (field?.kind !== 'integer' || !field.isId) return schema;
  const { refersTo } = field;
  return { ...orDecimalText(schema), ...(refersTo ? { 'x-refers-to': `/${refersTo.resource}` } : {}) };
}

/** Returns the schema of a document's properties. All of them are required. */
export const fieldsSchema = (fields: Fields): Schema => ({
  type: 'object',
  required: Object.keys(fields),
  properties: mapValues(fields, (field) => fieldSchema(field, 'document')),
});

/** Returns the schema of an object that must have this property. */
export const holding = (name: string, schema: Schema): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
});

/** Returns a schema under its name, which is also its title. */
export const withTitle = (title: string, description: string, schema: Schema): Record<string, Schema> => ({
  [title]: { title, description, ...schema },
});

/** Returns an object with the same names, whose values `change` makes. */
export const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));

/** Returns the schema, and null. Generators of clients do not support null as a choice of its own. */
export function orNull({ type, enum: choices, oneOf, anyOf, ...rules }: Schema): Schema {
  const branches = oneOf ?? anyOf;
  const [last, ...others] = Array.isArray(branches) ? branches.toReversed() : [];
  return {
    ...rules,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}),
    ...(last ? { [oneOf ? 'oneOf' : 'anyOf']: [...others.toReversed(), orNull(last)] } : {}),
  };
}

/**
 * Returns an example of an item that a client sends, which documentation pages begin with: the examples of its fields. It is
 * empty if a required field has none.
 */
export function exampleValues({ fields }: Description, required: readonly string[]): Schema {
  const values = Object.entries(fields).flatMap(([name, { server, seldom, example }]) =>
    server || seldom || example === undefined ? [] : [[name, example] as const],
  );
  const example = Object.fromEntries(values);
  return values.length > 0 && required.every((name) => name in example) ? { examples: [example] } : {};
}
