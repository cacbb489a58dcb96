import {
  type ArrayField,
  type Description,
  type Field,
  OPEN_NAME,
  PUBLISHED_NAME,
  type StructureField,
} from '../../shared/resource/description/description.ts';
import {
  type AnyField,
  choicesOf,
  type DecimalField,
  type TextField,
} from '../../shared/resource/description/field-types.ts';
import { MAXIMUM_ENTITY } from '../../shared/resource/description/values.ts';
import { EMAIL, JSON_TYPES, URL_FORM } from './rules.ts';

/**
 * `validator`: the keyword `decimal` checks decimals exactly, `form` texts such as dates, and `json` the types of
 * values. `document`: decimals are numbers.
 */
type Audience = 'validator' | 'document';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Text with characters that XML, and therefore every format, can carry. The pattern does not name lone surrogates,
 * because many regular-expression engines reject such a pattern. Source: XML 1.0 (5th edition) §2.2.
 */
export const XML_TEXT = '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF]*$';

/** Returns the JSON Schema (2020-12) of one field. Source: JSON Schema Validation 2020-12 §6, §7, §9. */
export function fieldSchema(field: Field, audience: Audience): Schema {
  const shown = audience === 'document' ? shownOf(field) : {};
  switch (field.kind) {
    case 'text':
      return { ...shown, type: 'string', ...textRules(field, audience) };
    case 'boolean':
      return { ...shown, type: 'boolean' };
    case 'date':
    case 'dateTime':
      if (audience === 'validator') return { type: 'string', form: field.kind };
      return { ...shown, type: 'string', ...TIMES[field.kind] };
    case 'integer': {
      const { minimum, maximum } = field;
      const format = audience === 'document' ? { format: maximum < 2 ** 31 ? 'int32' : 'int64' } : {};
      return { ...shown, type: 'integer', ...format, minimum, maximum };
    }
    case 'decimal': {
      const { minimum, exclusive, below, digits, decimals, least } = field;
      if (audience === 'validator') return { decimal: { minimum, exclusive, below, digits, decimals } };
      const lowest = exclusive ? { exclusiveMinimum: minimum } : { minimum };
      return { ...shown, ...NUMBER, ...lowest, exclusiveMaximum: below, ...notTiny(minimum, least) };
    }
    case 'any':
      return { ...shown, ...anyRules(field, audience) };
    case 'timestamp':
      // Custom actions set it in its stored form.
      if (audience === 'validator') return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
      return { ...shown, type: 'string', format: 'date-time', maxLength: 30 };
    case 'binary':
      return { ...shown, ...SHOWN_BINARY };
    case 'array':
      return { ...shown, ...arrayRules(field, audience) };
    case 'structure': {
      const one = structureSchema(field, audience);
      return field.several ? { ...shown, type: 'array', maxItems: 10_000, items: one } : { ...shown, ...one };
    }
  }
}

/** Without the format, generated clients in Go have numbers of 7 digits. */
const NUMBER: Schema = { type: 'number', format: 'double' };

/** A binary property as representations show it. Source: Specification 2.23. */
const SHOWN_BINARY: Schema = {
  type: 'object',
  required: ['href', 'contentType'],
  properties: {
    href: { description: 'Address.', type: 'string', format: 'uri-reference', maxLength: 2000 },
    contentType: { description: 'Media type.', type: 'string', maxLength: 255 },
    size: {
      description: 'Size in bytes.',
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: 4 * 1024 * 1024,
    },
    digest: {
      description: 'Digest. RFC 9530.',
      type: 'string',
      maxLength: 100,
      pattern: '^sha-256=:[A-Za-z0-9+/]+={0,2}:$',
    },
  },
};

function arrayRules({ of, minimum, maximum }: ArrayField, audience: Audience): Schema {
  const limits = { ...(minimum === undefined ? {} : { minItems: minimum }), maxItems: maximum };
  const items = fieldSchema(of, audience);
  if (audience === 'validator') return { type: 'array', ...limits, items };
  return { type: 'array', ...limits, items: { ...items, xml: { name: 'item' } }, xml: { wrapped: true } };
}

const structureSchema = ({ fields, required, open }: StructureField, audience: Audience): Schema => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, sentByService(fieldSchema(field, audience))]),
  ),
  ...(open ? { additionalProperties: true } : {}),
});

/** Returns the schema without the characters that a text has: no client sends one of the service. */
const sentByService = ({ pattern, ...schema }: Schema): Schema =>
  pattern === undefined || pattern === XML_TEXT ? schema : { ...schema, pattern };

/** Excludes the numbers between 0 and `least`, and those between -`least` and 0 if negative numbers are allowed. */
function notTiny(minimum: number, least: number | undefined): Schema {
  if (least === undefined) return {};
  // Limits of numbers hold for every other value. Without the type, this schema would exclude null.
  const excluded = minimum >= 0 ? { exclusiveMinimum: 0 } : { exclusiveMinimum: -least, not: { enum: [0] } };
  return { not: { type: 'number', ...excluded, exclusiveMaximum: least } };
}

/** Annotations for people and programs that write requests. */
const shownOf = (field: Field): Schema => ({
  description: descriptionOf(field),
  ...(field.server ? { readOnly: true } : {}),
  ...(field.example === undefined ? {} : { examples: [field.example] }),
});

const TIMES = {
  date: { format: 'date', maxLength: 10 },
  dateTime: { format: 'date-time', maxLength: 40 },
} as const;

/**
 * Returns the label, help for people, and the rules that no keyword of JSON Schema says. The default is one of them: some
 * generators of clients require a property with the keyword `default`, and others show it as a value of a response.
 */
function descriptionOf(field: Field): string {
  const rules = field.kind === 'decimal' ? rulesOf(field) : [];
  const unit = field.kind === 'integer' && field.unit === 'bytes' ? ' in bytes' : '';
  return [
    `${field.label}${unit}.`,
    field.kind === 'binary' && 'The address of the bytes, with their media type, size and digest.',
    field.help,
    ...rules,
    'default' in field && field.default !== undefined && `The default is ${field.default}.`,
    field.immutable && 'It does not change after creation.',
    field.lockedIn && `It does not change in these states: ${field.lockedIn.join(', ')}.`,
    field.readableBy && `Only callers with the scope \`${field.readableBy}\` see it.`,
    field.writableBy && `Only callers with the scope \`${field.writableBy}\` set it.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const rulesOf = ({ currency, digits, decimals }: DecimalField): string[] => [
  ...(currency === undefined ? [] : [`An amount in ${currency}.`]),
  `At most ${digits} significant digits${decimals === undefined || decimals > digits ? '' : `, ${decimals} of them after the decimal point`}.`,
];

const FORMS = { email: EMAIL, url: URL_FORM } as const;

function textRules(field: TextField, audience: Audience): Schema {
  const { choices, grows, minimum, maximum, pattern, format } = field;
  if (choices && !grows) return { enum: audience === 'document' ? choicesOf(field) : choices };
  const least = minimum === undefined ? {} : { minLength: minimum };
  const own = pattern === undefined ? {} : { pattern: whole(pattern) };
  // The validator checks the characters of all text at once, including undeclared properties. The flow checks the size
  // of the whole item.
  if (audience === 'validator')
    return {
      ...least,
      ...(maximum === undefined ? {} : { maxLength: maximum }),
      ...own,
      ...(format ? { form: format } : {}),
    };
  // The keyword `format` would mean the syntax of RFC 5321, which differs from that of HTML.
  const known = { pattern: format ? FORMS[format].source : XML_TEXT };
  return { ...least, maxLength: maximum ?? MAXIMUM_ENTITY, ...known, ...own };
}

/**
 * Returns a pattern that matches whole texts only. Source: JSON Schema Validation 2020-12 §6.3.3 (patterns are not
 * anchored).
 */
const whole = (pattern: string): string => `^(?:${pattern})$`;

/** Generators of clients do not know lists of types, so each type of a value is a choice with its own rules. For
 * those of Java, a text is an object too, so the choice is no `oneOf`. */
function anyRules({ types }: AnyField, audience: Audience): Schema {
  if (audience === 'validator') return { json: types ?? JSON_TYPES };
  if (!types) return { maxLength: MAXIMUM_ENTITY, pattern: XML_TEXT };
  const [only, ...others] = types.map((type) => {
    if (type === 'number') return NUMBER;
    return type === 'string' ? { type, maxLength: MAXIMUM_ENTITY, pattern: XML_TEXT } : { type };
  });
  return only && others.length === 0 ? only : { anyOf: [only, ...others] };
}

/** Returns the JSON Schema (2020-12) of an item's values. Source: JSON Schema Validation 2020-12 §6. */
export function jsonSchema(description: Description, audience: Audience): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(description.fields)) {
    // The service takes binary properties out of the values before it validates them.
    if (audience === 'validator' && (field.server || field.kind === 'binary')) continue;
    properties[name] = fieldSchema(field, audience);
  }
  const pattern = audience === 'validator' ? OPEN_NAME.source : PUBLISHED_NAME;
  return {
    type: 'object',
    properties,
    ...(description.required.length > 0 ? { required: description.required } : {}),
    ...(description.open ? { propertyNames: { pattern } } : {}),
  };
}
