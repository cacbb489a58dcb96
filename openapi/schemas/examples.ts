import type { JsonObject, JsonValue } from '../../shared/json/value.ts';
import { describedBy, itemMembers } from '../../shared/representations/item.ts';
import { pageLinks } from '../../shared/representations/list.ts';
import type { Field, Fields } from '../../shared/resource/description/description.ts';
import type { Item } from '../../shared/resource/item.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';

/** The time of every example. */
const MOMENT = Date.UTC(2026, 10, 21, 10, 10, 29, 113);

/** Returns the declared example of a field, or one that its rules allow. */
function exampleOf({ example, label, ...field }: Field): JsonValue {
  if (example !== undefined) return example;
  switch (field.kind) {
    case 'text':
      return field.choices?.[0] ?? label;
    case 'any':
      return label;
    case 'timestamp':
      return MOMENT;
    case 'date':
      return new Date(MOMENT).toISOString().slice(0, 10);
    case 'dateTime':
      return new Date(MOMENT).toISOString();
    case 'boolean':
      return true;
    case 'binary':
      return null;
    case 'array':
      return [exampleOf(field.of)];
    case 'structure': {
      const one = exampleValues(field.fields, { server: true });
      return field.several ? [one] : one;
    }
    default:
      return field.minimum;
  }
}

/** Returns the examples of fields as a client would send them, without server properties. */
export const exampleValues = (fields: Fields, { server }: { server: boolean }): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.seldom || (field.server && !server) ? [] : [[name, exampleOf(field)]],
    ),
  );

/** Returns an example item in the service's own representation. */
export function exampleItem(resource: Resource, basePath: string, isPart = false): JsonObject {
  const { identifier, fields } = descriptionOf(resource);
  const item: Item = {
    id: identifier.example,
    version: 1,
    createdAt: MOMENT,
    updatedAt: MOMENT,
    values: exampleValues(fields, { server: true }),
    internal: {},
  };
  return itemMembers(resource, item, basePath, { isPart });
}

/** Returns an example list with one item, at the given path. */
export function exampleList(resource: Resource, path: string, basePath: string): Record<string, unknown> {
  const { identifier } = descriptionOf(resource);
  const query = {
    limit: 100,
    offset: 0,
    sortOrder: [{ field: identifier.name, descending: false }],
    filters: [],
  };
  const address = { path: basePath + path, identity: path, parameters: [] };
  return {
    items: [exampleItem(resource, basePath, true)],
    limit: query.limit,
    offset: query.offset,
    links: [...pageLinks(address, query, { items: [] }), describedBy(resource.name, basePath)],
  };
}
