import { fieldSchema, jsonSchema } from '../../service/validation/json-schema.ts';
import { AUTHORS } from '../../shared/resource/access/sight.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import { capitalize, timestamp } from '../../shared/resource/description/fields.ts';
import type { Relation } from '../../shared/resource/relation.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { ref, type Schema } from '../model.ts';
import { inputsSchemas, severalSchemas } from '../responses/several.ts';
import { fillingOf, isRelated } from '../targets.ts';
import { wrappedArray } from './common-schemas.ts';
import { customSchemas } from './custom-schemas.ts';
import {
  exampleValues,
  fieldsSchema,
  holding,
  identifierSchema,
  mapValues,
  orNull,
  sentSchema,
  withTitle,
} from './fields.ts';

/** Returns the names of the schemas of a resource's items. */
export const schemaNames = ({ name, description }: Resource) => {
  const item = capitalize(description?.singular ?? name);
  return {
    item,
    list: capitalize(name),
    related: `${capitalize(name)}Related`,
    input: `${item}Input`,
    change: `${item}Change`,
    mergePatch: `${item}MergePatch`,
  };
};

/** Returns the name of a schema of content whose path fills a required field. */
export const belowName = (name: string): string => `${name}Below`;

const LINKS: Schema = {
  description: 'Next steps.',
  type: 'array',
  readOnly: true,
  maxItems: 1000,
  items: ref('schemas', 'Link'),
  xml: { wrapped: true },
};

const IGNORED: Schema = {
  description: 'The parameters that have no effect, and sort keys that no item has.',
  type: 'array',
  maxItems: 1000,
  items: { type: 'string' },
  xml: { wrapped: true },
};

/** Returns all schemas of a resource. */
export function resourceSchemas(resource: Resource): Record<string, Schema> {
  const { description, routes } = resource;
  const described = description ? itemSchemas(resource, description) : {};
  const documents = routes.flatMap(({ endpoints: { GET } }): [string, Schema][] => {
    if (!GET?.fields) return [];
    const { properties, ...schema } = fieldsSchema(GET.fields);
    const title = capitalize(GET.id);
    const required = GET.required && { required: GET.required };
    const links = { properties: { ...(properties as Schema), links: LINKS } };
    return [[title, { title, ...schema, ...required, ...links, xml: { name: GET.id } }]];
  });
  return { ...described, ...Object.fromEntries(documents), ...customSchemas(resource) };
}

/** Returns a list below an item of another resource. An entry for a deleted item has only its identifier. */
function relatedSchema(resource: Resource, description: Description, list: Schema): Record<string, Schema> {
  const { item, related } = schemaNames(resource);
  const isShown = resource.routes.some(({ path, endpoints: { GET } }) =>
    GET ? isRelated({ resource, endpoint: GET }, path) : false,
  );
  if (!isShown) return {};
  const { name } = description.identifier;
  const gone = { ...holding(name, identifierSchema(description)), xml: { name: description.singular } };
  const properties = list.properties as Record<string, Schema>;
  const items = { ...properties.items, items: { anyOf: [ref('schemas', item), gone] } };
  return { [related]: { ...list, title: related, properties: { ...properties, items } } };
}

function itemSchemas(resource: Resource, description: Description): Record<string, Schema> {
  const names = schemaNames(resource);
  const { singular, fields } = description;
  const { properties: values, required = [], ...rules } = jsonSchema(description, 'document') as Values;
  const own = {
    ...rules,
    ...(description.open ? { additionalProperties: true } : {}),
  };
  const xml = { name: singular };
  const sent = Object.fromEntries(
    Object.entries(values).flatMap(([name, schema]): [string, Schema][] => {
      const field = fields[name];
      return field?.server ? [] : [[name, field ? sentSchema(schema, field) : schema]];
    }),
  );
  // Null counts as left out. Source: Specification 2.16.
  const clients = mapValues(sent, (schema, name) => (required.includes(name) ? schema : orNull(schema)));
  const item = itemSchema(description, names.item, relatedProperties(resource));
  const list: Schema = {
    title: names.list,
    type: 'object',
    required: ['items', 'limit', 'offset', 'links'],
    properties: {
      items: {
        description: 'The items of the page.',
        type: 'array',
        maxItems: 1000,
        items: ref('schemas', names.item),
      },
      limit: counted('Maximum number of items on a page.'),
      offset: counted('Number of items before this page.'),
      total: counted('Number of items in the list, if the service has counted all of them.'),
      ignored: IGNORED,
      links: LINKS,
    },
    xml: { name: resource.name },
  };
  const shown = {
    [names.item]: item,
    ...expandedSchemas(resource),
    [names.list]: list,
    ...relatedSchema(resource, description, list),
  };
  if (Object.keys(sent).length === 0) return shown;
  const examples = exampleValues(description, required);
  const input = (title: string, about: string, needed: readonly string[]) =>
    withTitle(title, about, {
      ...own,
      ...examples,
      ...(needed.length > 0 ? { required: needed } : { minProperties: 1 }),
      properties: clients,
      xml,
    });
  const whole =
    'A complete representation. The service ignores its own properties in it. Null counts as left out. A PUT removes what is left out, or gives it its default, unless the property says otherwise.';
  const filled = fillingOf(resource);
  return {
    ...shown,
    ...severalSchemas(resource, { ...names, links: LINKS }),
    ...input(names.input, whole, required),
    ...(filled && {
      ...input(
        belowName(names.input),
        `${whole} The path gives the property ${filled.fills}.`,
        required.filter((name) => name !== filled.fills),
      ),
      ...(filled.several && inputsSchemas(resource, names, belowName)),
    }),
    ...(isChanged(resource) &&
      withTitle(names.change, 'The properties to change. The others stay as they are.', {
        ...own,
        ...examples,
        minProperties: 1,
        properties: clients,
        xml,
      })),
    ...withTitle(names.mergePatch, 'The properties to change. Null removes a property. RFC 7396.', {
      ...own,
      ...examples,
      // Generators of clients support no choice between a number, a text and null.
      properties: mapValues(sent, (schema, name) =>
        required.includes(name) ? schema : orNull(values[name] ?? schema),
      ),
    }),
  };
}

/** Returns the schema of an item in a response. `related`: the properties that an expansion adds. */
function itemSchema(description: Description, title: string, related: Record<string, Schema> = {}): Schema {
  const { identifier, open, singular } = description;
  const { properties, required: _required, ...rules } = jsonSchema(description, 'document') as Values;
  return {
    title,
    ...rules,
    ...(open ? { additionalProperties: true } : {}),
    required: [identifier.name],
    properties: {
      [identifier.name]: { ...identifierSchema(description), readOnly: true },
      ...properties,
      createdAt: fieldSchema(timestamp('Created', SERVER), 'document'),
      updatedAt: fieldSchema(timestamp('Last changed', SERVER), 'document'),
      ...mapValues(AUTHORS, (field) => fieldSchema(field, 'document')),
      ...related,
      links: LINKS,
    },
    xml: { name: singular },
  };
}

/** Returns the name of the schema of a related item that an expansion shows: `CustomerExpanded`. */
const expandedName = ({ to }: Relation): string => `${capitalize(to.description.singular)}Expanded`;

/** Returns the properties that `expand` adds to an item. */
const relatedProperties = ({ relations }: Resource): Record<string, Schema> =>
  mapValues(relations, (relation) => {
    const one = ref('schemas', expandedName(relation));
    return relation.kind === 'one' ? one : wrappedArray(1000, one);
  });

/** Returns the schemas of related items. A missing one is null, or has its identifier alone in a list. */
const expandedSchemas = ({ relations }: Resource): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(relations).map(([name, relation]): [string, Schema] => {
      const title = expandedName(relation);
      const { type, xml: _root, ...schema } = itemSchema(relation.to.description, title);
      const isOne = relation.kind === 'one';
      const missing = isOne ? 'Null: it does not exist.' : 'A deleted item has its identifier alone.';
      return [
        title,
        {
          ...schema,
          type: isOne ? [type, 'null'] : type,
          description: `Present with \`expand=${name}\`. ${missing}`,
          readOnly: true,
          xml: { name: isOne ? name : 'item' },
        },
      ];
    }),
  );

/** True if POST on an item changes it. */
const isChanged = ({ routes }: Resource): boolean =>
  routes.some(({ endpoints }) => endpoints.POST?.content === 'change');

interface Values extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const SERVER = { server: true, example: '2026-11-21T10:10:29.113Z' };

/** Returns a number that an element of XML has as an attribute. */
const counted = (description: string): Schema => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
  xml: { attribute: true },
});
