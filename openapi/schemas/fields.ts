import { MAXIMUM_BODY, MAXIMUM_BYTES } from '../../shared/flow/request/limits.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import { type BinaryField, type Fields, integer, text } from '../../shared/resource/description/fields.ts';
import { fieldSchema } from '../../shared/resource/description/json-schema.ts';
import type { Schema } from '../model.ts';

/** The schema of an item's identifier. */
export function identifierSchema({ identifier }: Description): Schema {
  const { label, kind, pattern, maximum = 1000, example } = identifier;
  if (kind === 'integer') return fieldSchema(integer(label, { example }), 'document');
  const schema = fieldSchema(text(label, { maximum, example }), 'document');
  return { ...schema, minLength: 1, ...(pattern === undefined ? {} : { pattern }) };
}

/** An identifier in a request, also as its decimal text. Longer texts are valid too. Source: Specification 2.3. */
export const orDecimalText = (schema: Schema): Schema => ({
  anyOf: [schema, { type: 'string', maxLength: 15, pattern: '^(?:0|[1-9][0-9]{0,14})$' }],
});

/** A binary property in a request: the object that GET shows, or new bytes. Source: Specification 2.24, 2.25. */
export const orDataUri = ({ description: _shown, ...schema }: Schema): Schema => ({
  description: 'A `data:` URI sets the bytes. The object of a response leaves them.',
  anyOf: [schema, { type: 'string', maxLength: MAXIMUM_BODY, pattern: '^[Dd][Aa][Tt][Aa]:' }],
});

/** A file in a form. Source: Specification 2.22. */
export const fileSchema = ({ label, accepts }: BinaryField): Schema => ({
  title: label,
  type: 'string',
  contentMediaType: accepts,
  maxLength: MAXIMUM_BYTES,
});

/** The schema of a document's properties. All of them are required. */
export const fieldsSchema = (fields: Fields): Schema => ({
  type: 'object',
  required: Object.keys(fields),
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, 'document')]),
  ),
});
