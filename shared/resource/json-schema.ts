import { type Description, OPEN_NAME } from './description.ts';
import type { Field } from './fields.ts';

/** For `validator`, decimals are checked exactly by the keyword `decimal`; for `document`, they are plain numbers. */
export type Audience = 'validator' | 'document';

type Schema = Readonly<Record<string, unknown>>;

function fieldSchema(field: Field, audience: Audience): Schema {
  const readOnly = audience === 'document' && field.server ? { readOnly: true } : {};
  const title = audience === 'document' ? { title: field.label } : {};
  switch (field.kind) {
    case 'text':
      return {
        ...title,
        type: 'string',
        ...(field.choices ? { enum: field.choices } : { maxLength: field.maximum }),
        ...(field.format ? emailSchema(audience) : {}),
        ...readOnly,
      };
    case 'integer':
      return { ...title, type: 'integer', minimum: field.minimum, maximum: field.maximum, ...readOnly };
    case 'decimal':
      return audience === 'validator'
        ? { decimal: { minimum: field.minimum, below: field.below, digits: field.digits } }
        : { ...title, type: 'number', minimum: field.minimum, exclusiveMaximum: field.below, ...readOnly };
    case 'timestamp':
      return { ...title, type: 'string', format: 'date-time', ...readOnly };
  }
}

/** What `<input type=email>` accepts. Source: HTML Living Standard §4.10.5.1.5. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

const emailSchema = (audience: Audience): Schema =>
  audience === 'validator' ? { pattern: EMAIL.source } : { format: 'email', pattern: EMAIL.source };

/** The JSON Schema (2020-12) of an item's values. Source: JSON Schema Validation 2020-12 §6. */
export function jsonSchema(description: Description, audience: Audience): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(description.fields)) {
    if (audience === 'validator' && field.server) continue;
    properties[name] = fieldSchema(field, audience);
  }
  return {
    type: 'object',
    properties,
    ...(description.required.length > 0 ? { required: description.required } : {}),
    ...(description.open ? { propertyNames: { pattern: OPEN_NAME.source } } : {}),
  };
}
