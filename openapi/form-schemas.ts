import { MAXIMUM_BODY } from '../shared/flow/request/limits.ts';
import { type Description, OPEN_NAME } from '../shared/resource/description.ts';
import { fieldSchema, XML_TEXT } from '../shared/resource/json-schema.ts';
import type { Schema } from './model.ts';

/** No body holds more. */
const TEXT: Schema = { type: 'string', maxLength: MAXIMUM_BODY };
const EMPTY: Schema = { const: '' };

/** An input that may be left empty. A default is for those who leave it out altogether. */
const orEmpty = ({ default: _default, ...schema }: Schema): Schema => ({ anyOf: [schema, EMPTY] });

/**
 * What forms send: inputs, each once. Texts become the values that fields ask for, an empty one removes the member.
 * A form that makes an item has to say something.
 *
 * Source: decisions §6; HTML Living Standard §4.10.21.
 */
export function formSchemas(
  names: Readonly<Record<'newForm' | 'form', string>>,
  { fields, required, open }: Description,
): Record<string, Schema> {
  const inputs = Object.entries(fields).filter(([, { server }]) => !server);
  const properties = Object.fromEntries(
    inputs.map(([name, field]) => {
      const schema = fieldSchema(field, 'document');
      return [name, required.includes(name) ? schema : orEmpty(schema)];
    }),
  );
  const form: Schema = {
    type: 'object',
    properties,
    ...(open
      ? {
          propertyNames: { pattern: OPEN_NAME.source },
          additionalProperties: { ...TEXT, pattern: XML_TEXT },
        }
      : { additionalProperties: TEXT }),
  };
  const something = open ? { not: { additionalProperties: EMPTY } } : {};
  return {
    [names.form]: { title: names.form, description: 'The inputs to change; an empty one removes.', ...form },
    [names.newForm]: {
      title: names.newForm,
      description: 'The inputs of a new item; an empty one is one left out.',
      ...form,
      ...(required.length > 0 ? { required } : {}),
      ...something,
    },
  };
}
