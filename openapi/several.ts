import type { Description } from '../shared/resource/description.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { identifierSchema } from './fields.ts';
import { ref, type Schema } from './model.ts';
import type { Target } from './targets.ts';

/** Elements of a list that is sent: a body has 1 MB at most. */
const MAXIMUM = 100_000;

/** The names of the schemas of several items at once. */
export const severalNames = (list: string) => ({
  inputs: `${list}Input`,
  replacements: `${list}Replacement`,
  written: `${list}Written`,
  results: `${list}Results`,
});

/** Whether several items may be sent at once. */
export const takesSeveral = ({ resource, operation }: Target): boolean =>
  operation.content === 'items' ||
  (operation.several !== undefined && operation.several in resource.actions && operation.form === undefined);

const isSomewhere = (
  { routes }: Resource,
  kind: 'creates' | 'replaces',
  actions: Resource['actions'],
): boolean =>
  routes.some(({ operations }) =>
    Object.values(operations).some(({ several, content }) =>
      kind === 'creates' ? several !== undefined && several in actions : content === 'items',
    ),
  );

const RESULT = {
  status: { type: 'integer', format: 'int32', minimum: 100, maximum: 599, examples: [201] },
  href: { type: 'string', format: 'uri-reference', maxLength: 20_000 },
  problem: ref('schemas', 'Problem'),
};

/** Members of a result that an item may have as well. */
const clashes = ({ fields, open }: Description): boolean =>
  open || Object.keys(RESULT).some((name) => name in fields);

/** What several items at once are sent and answered as. Source: decisions §9. */
export function severalSchemas(
  resource: Resource,
  { item, list, input, links }: { item: string; list: string; input: string; links: Schema },
): Record<string, Schema> {
  const description = resource.description as Description;
  const creates = isSomewhere(resource, 'creates', resource.actions);
  const replaces = isSomewhere(resource, 'replaces', resource.actions);
  if (!creates && !replaces) return {};
  const names = severalNames(list);
  const { name } = description.identifier;
  const array = (items: Schema): Schema => ({ type: 'array', minItems: 1, maxItems: MAXIMUM, items });
  const listed = (items: Schema): Schema => ({
    type: 'object',
    required: ['items', 'links'],
    properties: { items: { type: 'array', maxItems: MAXIMUM, items }, links },
    xml: { name: resource.name },
  });
  const replacement: Schema = {
    allOf: [
      ref('schemas', input),
      {
        type: 'object',
        required: [name],
        ...(description.open ? { minProperties: 2 } : {}),
        properties: { [name]: identifierSchema(description) },
      },
    ],
  };
  const result: Schema = {
    type: 'object',
    required: ['status', 'href'],
    properties: { ...RESULT, ...(clashes(description) ? { item: ref('schemas', item) } : {}) },
  };
  return {
    ...(creates
      ? {
          [names.inputs]: {
            title: names.inputs,
            description: 'One, or an array of several.',
            anyOf: [ref('schemas', input), array(ref('schemas', input))],
          },
        }
      : {}),
    ...(replaces
      ? {
          [names.replacements]: {
            title: names.replacements,
            description: 'Complete representations, each with its number: as an array, or as a list is read.',
            anyOf: [
              array(replacement),
              { type: 'object', required: ['items'], properties: { items: array(replacement) } },
            ],
          },
        }
      : {}),
    [names.written]: {
      title: names.written,
      description: 'Several items as they are now.',
      ...listed(ref('schemas', item)),
    },
    [names.results]: {
      title: names.results,
      description: 'What became of each of several items, in their order; one that failed has a problem.',
      ...listed(result),
    },
  };
}
