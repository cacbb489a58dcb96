import { fieldSchema, XML_TEXT } from '../../service/validation/json-schema.ts';
import { MAXIMUM_BODY } from '../../shared/http/maximum-sizes.ts';
import {
  type Description,
  type Field,
  PUBLISHED_NAME,
} from '../../shared/resource/description/description.ts';
import { text } from '../../shared/resource/description/fields.ts';
import type { Schema } from '../model.ts';
import { fileSchema, withTitle } from './fields.ts';

/** Limit of the size of a body. */
const TEXT: Schema = { type: 'string', maxLength: MAXIMUM_BODY };
const OPEN_TEXT: Schema = { ...TEXT, pattern: XML_TEXT };
const MAXIMUM_INPUTS = 100_000;
const EMPTY: Schema = { const: '' };

/** Kinds whose values are more than texts and numbers in JSON. */
const TYPED: ReadonlySet<Field['kind']> = new Set(['any', 'structure', 'array']);

/** Returns the schema of an input that can be empty. A default applies only if the form lacks the input. */
const orEmpty = ({ default: _default, ...schema }: Schema): Schema => ({ anyOf: [schema, EMPTY] });

/**
 * Returns the schemas of forms. A form has each declared input once. The service converts a text to the type of its
 * property. An empty input removes the property. A form that creates an item must have at least one filled input.
 *
 * Source: Specification 6.1, 6.2; HTML Living Standard §4.10.21.
 */
export function formSchemas(
  names: Readonly<Record<'newForm' | 'form', string>>,
  { fields, required, open }: Description,
): Record<string, Schema> {
  const inputs = Object.entries(fields).filter(([, { server }]) => !server);
  const properties = Object.fromEntries(
    inputs.map(([name, field]) => {
      // A form sends text only.
      const sent = TYPED.has(field.kind) ? text(field.label, { example: field.example }) : field;
      const schema = sent.kind === 'binary' ? fileSchema(sent) : fieldSchema(sent, 'document');
      return [name, required.includes(name) ? schema : orEmpty(schema)];
    }),
  );
  const form: Schema = {
    type: 'object',
    properties,
    ...(open
      ? {
          propertyNames: { pattern: PUBLISHED_NAME },
          // A repeated input is an array.
          additionalProperties: {
            anyOf: [OPEN_TEXT, { type: 'array', minItems: 2, maxItems: MAXIMUM_INPUTS, items: OPEN_TEXT }],
          },
        }
      : { additionalProperties: TEXT }),
  };
  return {
    ...withTitle(names.form, 'The inputs to change. An empty input removes its property.', form),
    ...withTitle(names.newForm, 'The inputs of a new item. An empty input counts as left out.', {
      ...form,
      ...(required.length > 0 && { required }),
      ...(open && { not: { additionalProperties: EMPTY } }),
    }),
  };
}
