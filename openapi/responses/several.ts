import type { Description } from '../../shared/resource/description/description.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { ref, type Schema } from '../model.ts';
import { RESULT } from '../schemas/common-schemas.ts';
import { holding, identifierSchema, orDecimalText, withTitle } from '../schemas/fields.ts';
import type { Target } from '../targets.ts';

/** Maximum number of elements in a request. A body has at most 1 MB. */
const MAXIMUM = 100_000;

/** The names of the schemas of bulk requests and their responses. */
export const severalNames = ({ item, list }: { readonly item: string; readonly list: string }) => ({
  inputs: `${list}Input`,
  items: `${list}InputItems`,
  replacement: `${item}Replacement`,
  replacements: `${list}Replacement`,
  created: `${list}Created`,
  written: `${list}Written`,
  results: `${list}Results`,
});

/** True if the target accepts several items at once. */
export const takesSeveral = ({ endpoint }: Target): boolean =>
  endpoint.content === 'items' || endpoint.several !== undefined;

const isSomewhere = ({ routes }: Resource, kind: 'creates' | 'replaces'): boolean =>
  routes.some(({ endpoints }) =>
    Object.values(endpoints).some(({ several, content }) =>
      kind === 'creates' ? several !== undefined : content === 'items',
    ),
  );

/** True if an item can have a property with the name of a property of a result. */
const clashes = ({ fields, open }: Description): boolean =>
  open || Object.keys(RESULT).some((name) => name in fields);

const array = (items: Schema): Schema => ({ type: 'array', maxItems: MAXIMUM, items });

/** The schemas of one item or several, each with the schema `input`. `named`: makes other names of these schemas. */
export function inputsSchemas(
  resource: Resource,
  names: { readonly item: string; readonly list: string; readonly input: string },
  named = (name: string): string => name,
): Record<string, Schema> {
  const { inputs, items } = severalNames(names);
  const one = ref('schemas', named(names.input));
  return {
    // Clients for Java do not compile with an array in a choice, and TypeScript with axios has no choice by `anyOf`.
    ...withTitle(named(inputs), 'One item, or several of them. They can also be an array alone.', {
      oneOf: [one, ref('schemas', named(items))],
    }),
    ...withTitle(named(items), 'Several items.', {
      ...holding('items', { ...array(one), minItems: 1 }),
      additionalProperties: false,
      xml: { name: resource.name },
    }),
  };
}

/** The schemas of bulk requests and their responses. Source: Specification 9.1 to 9.5. */
export function severalSchemas(
  resource: Resource,
  { item, list, input, links }: { item: string; list: string; input: string; links: Schema },
): Record<string, Schema> {
  const description = descriptionOf(resource);
  const creates = isSomewhere(resource, 'creates');
  const replaces = isSomewhere(resource, 'replaces');
  if (!creates && !replaces) return {};
  const names = severalNames({ item, list });
  const { name } = description.identifier;
  const listed = (items: Schema): Schema => ({
    type: 'object',
    required: ['items', 'links'],
    properties: { items: { description: 'The items.', type: 'array', maxItems: MAXIMUM, items }, links },
    xml: { name: resource.name },
  });
  const result: Schema = {
    type: 'object',
    required: ['status', 'href'],
    properties: { ...RESULT, ...(clashes(description) ? { item: ref('schemas', item) } : {}) },
  };
  return {
    ...(creates && {
      ...inputsSchemas(resource, { item, list, input }),
    }),
    ...(replaces && {
      ...withTitle(names.replacement, 'A complete representation with its identifier.', {
        allOf: [ref('schemas', input), holding(name, orDecimalText(identifierSchema(description)))],
      }),
      ...withTitle(
        names.replacements,
        `The array can also be in an object, as \`items\` or \`${resource.name}\`.`,
        array(ref('schemas', names.replacement)),
      ),
    }),
    ...(creates &&
      withTitle(names.created, 'The created item, or several of them.', {
        anyOf: [ref('schemas', item), ref('schemas', names.written)],
      })),
    ...withTitle(names.written, 'The current state of several items.', listed(ref('schemas', item))),
    ...withTitle(
      names.results,
      'One result for each item, in the order of the request. The result of a failed item has a problem.',
      listed(result),
    ),
  };
}
