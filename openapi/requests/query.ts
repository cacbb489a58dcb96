import { OPEN_NAME } from '../../shared/resource/description/description.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Parameter } from '../model.ts';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Query parameters of every list. Source: Specification 4.1 to 4.5. */
export const PAGE_PARAMETERS: Readonly<Record<'limit' | 'offset' | 'after', Parameter>> = {
  limit: {
    name: 'limit',
    in: 'query',
    description:
      'Maximum number of items on the page. The service reads a larger number than 1,000 as 1,000.',
    schema: { ...COUNT, default: 100 },
  },
  offset: {
    name: 'offset',
    in: 'query',
    description:
      'Number of items to skip before the page, at most 10,000. To read further, follow the `next` links.',
    schema: { ...COUNT, format: 'int64', maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  },
  after: {
    name: 'after',
    in: 'query',
    description:
      'A position in this list, from its `next` or `prev` link. It is opaque: a client never creates one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 4112 },
  },
};

/** The sort keys of a list. */
export function sortParameter({ sortable, description }: Resource): Parameter {
  const identifier = description?.identifier.name ?? 'id';
  const names = [...new Set([identifier, 'createdAt', ...sortable])];
  return {
    name: 'sort',
    in: 'query',
    description:
      'The sort key, with a minus sign for descending order. For equal values, the identifier decides.',
    schema: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) },
  };
}

/** The filters of a list: lower bounds of numbers, and texts from a fixed set. */
export const filterParameters = ({ filters }: Resource): Parameter[] =>
  Object.entries(filters).map(([name, filter]): Parameter => {
    const { field } = filter;
    if (filter.kind === 'equal') {
      const schema = { type: 'string', enum: [...filter.among] };
      return { name, in: 'query', description: `Only items whose ${field} is this.`, schema };
    }
    return {
      name,
      in: 'query',
      description: `Only items whose ${field} is at least this, compared as exact decimals.`,
      schema: { type: 'number' },
    };
  });

/** The maximum number of names, each with a comma, in the 10,240 bytes of a URL that the gateway accepts. */
const MAXIMUM_NAMES = 5120;

/**
 * `fields`: the properties to show, or the one binary property whose bytes to read. An open resource can have further
 * names, which only its clients know.
 */
export function fieldsParameter(
  { description }: Resource,
  parts: readonly string[],
  alone: readonly string[],
): Parameter[] {
  const base = { name: 'fields', in: 'query', style: 'form', explode: false } as const;
  if (alone.length > 0) {
    const text = `Selects the bytes of a part of the item: ${alone.join(', ')}. Without it, the response is the item.`;
    return [
      {
        ...base,
        description: text,
        schema: { type: 'array', minItems: 1, maxItems: 1, items: { type: 'string', enum: alone } },
      },
    ];
  }
  if (!description) return [];
  const { fields, identifier, open } = description;
  const names = [identifier.name, ...Object.keys(fields), 'createdAt', 'updatedAt', 'links', ...parts];
  const items = open
    ? { type: 'string', maxLength: 64, pattern: OPEN_NAME.source }
    : { type: 'string', enum: names };
  const known = open
    ? ` Known names are ${names.join(', ')}. An item leaves out a property that it lacks.`
    : '';
  const part =
    parts.length > 0 ? ` ${parts.join(', ')} must be the only name, and selects the stored bytes.` : '';
  return [
    {
      ...base,
      description: `The properties to show, in addition to the identifier. Empty: all.${known}${part}`,
      schema: { type: 'array', maxItems: MAXIMUM_NAMES, items },
    },
  ];
}
