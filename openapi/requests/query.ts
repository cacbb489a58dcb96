import { MAXIMUM_VALUES } from '../../shared/flow/request/query/filters.ts';
import { AUTHORS } from '../../shared/resource/access/sight.ts';
import { type Field, PUBLISHED_NAME } from '../../shared/resource/description/description.ts';
import { choicesOf } from '../../shared/resource/description/field-types.ts';
import { scalarFields, suffixesOf } from '../../shared/resource/lists/filter.ts';
import { type Comparison, comparisonIn } from '../../shared/resource/lists/filter-parameter.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Parameter, Schema } from '../model.ts';

/** The most characters of a URI. A longer one gets 414. Source: API Gateway quotas. */
const MAXIMUM_URI = 10_240;

const COUNT = { type: 'integer', minimum: 0 } as const;

const one = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

/** Returns a parameter with several values, with commas between them. */
const several = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'query',
  style: 'form',
  explode: false,
  description,
  schema: { type: 'array', ...schema },
});

/** Query parameters of every list. Source: Specification 4.1 to 4.5. */
export const PAGE_PARAMETERS: Readonly<Record<'limit' | 'offset' | 'after' | 'order', Parameter>> = {
  limit: one(
    'limit',
    'Maximum number of items on the page. The service reads a larger number than 1,000 as 1,000.',
    { ...COUNT, default: 100 },
  ),
  offset: one(
    'offset',
    'Number of items to skip before the page, at most 10,000. To read further, follow the `next` links.',
    { ...COUNT, format: 'int64', maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  ),
  after: one(
    'after',
    'A position in this list, from its `next` or `prev` link. It is opaque: a client never creates one.',
    { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 4112 },
  ),
  order: one('order', 'The direction of sort keys without a direction of their own.', {
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
  }),
};

/** The name of an undeclared property in ASCII. Other names are valid, and only their clients know them. */
const NAME = '[A-Za-z_][A-Za-z0-9_.-]{0,63}';

/** Returns the sort keys of a list. */
export function sortParameter({ description, sortable }: Resource): Parameter {
  const names = description ? Object.keys(scalarFields(description)) : ['id'];
  const indexed = [...new Set([names[0], 'createdAt', ...sortable])].join(', ');
  const items = description?.open
    ? { type: 'string', maxLength: 70, pattern: `^(?:[-+]?${NAME}|${NAME}:(?:asc|desc))$` }
    : { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) };
  const text = `The sort keys: \`name\` or \`name:asc\`, \`-name\` or \`name:desc\`. For equal values, the identifier decides. A list of any length can have the order of ${indexed}, and a list of up to 10,000 items any other order.`;
  return several('sort', text, { minItems: 1, maxItems: 8, items });
}

/** Returns the schema of a value in a filter. */
function valueSchema(field: Field, picks: 'values' | 'range'): Schema {
  if (field.kind === 'timestamp' || field.kind === 'dateTime')
    return { type: 'string', format: 'date-time', maxLength: 40 };
  if (field.kind === 'integer') {
    const { minimum, maximum } = field;
    return { type: 'integer', format: 'int64', minimum, maximum };
  }
  if (field.kind === 'decimal') return { type: 'number' };
  if (field.kind === 'boolean') return { type: 'boolean' };
  if (field.kind === 'date') return { type: 'string', format: 'date', maxLength: 10 };
  const choices = field.kind === 'text' && picks === 'values' ? choicesOf(field) : undefined;
  return choices ? { type: 'string', enum: choices } : { type: 'string', maxLength: MAXIMUM_URI };
}

/**
 * Returns a filter for equal values. Of a time, it describes one value only: generated Go clients do not compile with
 * lists.
 */
function equality(name: string, { name: property, field }: Comparison): Parameter {
  const items = valueSchema(field, 'values');
  if (field.kind === 'timestamp' || field.kind === 'dateTime' || field.kind === 'date')
    return one(name, `Only items whose ${property} is this.`, items);
  const { readableBy } = field;
  const needed = readableBy ? ` Without the scope \`${readableBy}\`, it has no effect.` : '';
  const text = `Only items whose ${property} is one of these. In a text, \`\\,\` is a comma.${needed}`;
  return several(name, text, { minItems: 1, maxItems: MAXIMUM_VALUES, items });
}

/**
 * Returns the filters of a list. Each property is a parameter, and so is each further name. The comparisons of all
 * properties are one parameter in the form of an object: each of its properties is a parameter of the request. Its
 * patterns say which ones have an effect.
 *
 * Source: OpenAPI 3.1.1 §4.8.12.4, style `form` with `explode`.
 */
export function filterParameters({ description, filters }: Resource): Parameter[] {
  if (!description) return [];
  const fields = Object.entries(scalarFields(description));
  const described = (name: string, parameter: (comparison: Comparison) => Parameter): Parameter[] => {
    const comparison = comparisonIn({ description, filters }, name, scalarFields(description));
    return comparison ? [parameter(comparison)] : [];
  };
  const patternProperties = Object.fromEntries(
    [...Map.groupBy(fields, ([, { kind }]) => kind).values()].flatMap((alike) => {
      const [[, field] = []] = alike;
      const suffixes = field ? suffixesOf(field) : [];
      if (!field || suffixes.length === 0) return [];
      const names = alike.map(([name]) => name).join('|');
      return [[`^(?:${names})\\.(?:${suffixes.join('|')})$`, valueSchema(field, 'range')]];
    }),
  );
  const equal = [...(description.identifier.name === 'id' ? [] : ['id']), ...fields.map(([name]) => name)];
  return [
    ...equal.flatMap((name) => described(name, (comparison) => equality(name, comparison))),
    ...Object.entries(filters).flatMap(([name, of]) =>
      described(name, ({ field }) =>
        one(
          name,
          `The same as \`${of}\`, which also decides the order without \`sort\`.`,
          valueSchema(field, 'range'),
        ),
      ),
    ),
    {
      name: 'comparisons',
      in: 'query',
      style: 'form',
      explode: true,
      description:
        'Only items whose property is at least (`.gte`), above (`.gt`), at most (`.lte`) or below (`.lt`) the value, begins with it (`.prefix`), or contains each of its words (`.words`). Each property of this object is a parameter of the request.',
      schema: { type: 'object', patternProperties },
    },
  ];
}

/** The filters of a list, in the description of another path that takes them. */
export const FILTERS: Parameter = {
  name: 'filters',
  in: 'query',
  style: 'form',
  explode: true,
  description: 'The filters of the list. Each property of this object is a parameter of the request.',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

/** The maximum number of names, each with a comma, in the 10,240 bytes of a URL that the gateway accepts. */
const MAXIMUM_NAMES = 5120;

/**
 * `fields`: the properties to show. An open resource can have more names, which only its clients know. Bytes of a binary
 * property of an item have a path of their own.
 */
export function fieldsParameter({ description }: Resource, shape: 'list' | 'item'): Parameter[] {
  if (!description) return [];
  const { fields, identifier, open } = description;
  const names = [
    identifier.name,
    ...Object.keys(fields).filter((name) => shape === 'list' || fields[name]?.kind !== 'binary'),
    'createdAt',
    'updatedAt',
    ...Object.keys(AUTHORS),
    'links',
  ];
  const items = open
    ? { type: 'string', maxLength: 64, pattern: PUBLISHED_NAME }
    : { type: 'string', enum: names };
  const known = open
    ? ` Known names are ${names.join(', ')}. An item leaves out a property that it lacks.`
    : '';
  const text = `The properties to show, in addition to the identifier. Empty: all.${known}`;
  return [several('fields', text, { maxItems: MAXIMUM_NAMES, items })];
}

/** `expand`: the relations whose items to show inside. */
export function expandParameter({ relations }: Resource): Parameter[] {
  const names = Object.keys(relations);
  if (names.length === 0) return [];
  const text =
    'The relations whose items to show inside the item, under the name of the relation. The caller needs the scope to read them. Empty: none.';
  return [several('expand', text, { maxItems: MAXIMUM_NAMES, items: { type: 'string', enum: names } })];
}
