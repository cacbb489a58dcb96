import { OPEN_NAME } from '../shared/resource/description.ts';
import type { Resource } from '../shared/resource/resource.ts';
import type { Parameter } from './model.ts';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** What every list can be asked. Source: decisions §4. */
export const PAGE_PARAMETERS: Readonly<Record<'limit' | 'offset' | 'after', Parameter>> = {
  limit: {
    name: 'limit',
    in: 'query',
    description:
      'Items on the page at most. More than 1,000 are never sent: any larger number is taken for 1,000, as the answer says.',
    schema: { ...COUNT, default: 100 },
  },
  offset: {
    name: 'offset',
    in: 'query',
    description: 'Items before the page. At most 10,000 are skipped: beyond them follow the `next` links.',
    schema: { ...COUNT, format: 'int64', maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  },
  after: {
    name: 'after',
    in: 'query',
    description:
      'A position in this very list, from its `next` or `prev` link: opaque, and never made by a client.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 4112 },
  },
};

/** What a list can be sorted by. */
export function sortParameter({ sortable, description }: Resource): Parameter {
  const identifier = description?.identifier.name ?? 'id';
  const names = [...new Set([identifier, 'createdAt', ...sortable])];
  return {
    name: 'sort',
    in: 'query',
    description:
      'The field to sort by, a minus sign in front for descending. Equal values are ordered by identifier.',
    schema: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) },
  };
}

/** The lower bounds that a list takes, and the texts that it can be chosen by. */
export const filterParameters = ({ filters, choices }: Resource): Parameter[] => [
  ...Object.entries(filters).map(
    ([name, field]): Parameter => ({
      name,
      in: 'query',
      description: `Only items whose ${field} is at least this, judged as exact decimals.`,
      schema: { type: 'number' },
    }),
  ),
  ...Object.entries(choices).map(
    ([name, { field, among }]): Parameter => ({
      name,
      in: 'query',
      description: `Only items whose ${field} is this.`,
      schema: { type: 'string', enum: [...among] },
    }),
  ),
];

/** As many as the gateway's 10,240 bytes of a URL have room for, each with a comma. */
const MAXIMUM_NAMES = 5120;

/**
 * `fields`: the members to show, or the one part that is meant. For a resource that takes any property its names
 * are known only to those who put them there.
 */
export function fieldsParameter(
  { description }: Resource,
  parts: readonly string[],
  alone: readonly string[],
): Parameter[] {
  const base = { name: 'fields', in: 'query', style: 'form', explode: false } as const;
  if (alone.length > 0) {
    const text = `Names the part of the item that is meant: ${alone.join(', ')}. Left out, it is the item.`;
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
  const known = open ? ` Known ones are ${names.join(', ')}; a name that nothing here has is refused.` : '';
  const part = parts.length > 0 ? ` ${parts.join(', ')} stands alone and is answered as it is stored.` : '';
  return [
    {
      ...base,
      description: `The members to show, identifier and links besides.${known}${part}`,
      schema: { type: 'array', minItems: 1, maxItems: MAXIMUM_NAMES, items },
    },
  ];
}
