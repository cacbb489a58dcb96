import { type JsonObject, type JsonValue, setMember } from '../json/value.ts';
import type { Description } from '../resource/description/description.ts';
import { describedBy } from '../resource/discovery.ts';
import type { Item } from '../resource/item.ts';
import type { LinkFact } from '../resource/link.ts';
import type { Resource } from '../resource/resource.ts';

/** The path of an item, percent-encoded, without base path. */
export const itemHref = (resource: Resource, id: number | string): string =>
  `/${resource.name}/${typeof id === 'number' ? id : encodeURIComponent(id)}`;

/**
 * The links of an item, with base path. The relation types are those of the IANA registry where it has one. Source:
 * RFC 8288 §3.
 */
export function itemLinks(resource: Resource, item: Item, basePath: string): LinkFact[] {
  const links: LinkFact[] = [
    { rel: 'self', href: itemHref(resource, item.id), method: 'GET' },
    ...resource.links(item),
    { rel: 'collection', href: `/${resource.name}`, method: 'GET' },
  ];
  const { singular } = resource.description as Description;
  return [...prefixed(links, basePath), describedBy(singular, basePath)];
}

/**
 * The properties of an item that no longer exists: its identifier without links, because a link would not
 * dereference. Source: Specification 1.12.
 */
export const goneMembers = (resource: Resource, id: number | string): JsonObject => ({
  [(resource.description as Description).identifier.name]: id,
});

/** Adds the base path and the method to links. */
export const prefixed = (links: readonly LinkFact[], basePath: string): LinkFact[] =>
  links.map(({ rel, href, method = 'GET', ...more }) => ({ rel, href: basePath + href, method, ...more }));

/** The properties of an item without links: identifier, declared fields, undeclared properties, times. */
export function valueMembers(
  { identifier, fields }: Description,
  item: Item,
  only?: ReadonlySet<string>,
): JsonObject {
  const members: JsonObject = {};
  const add = (name: string, value: JsonValue) => {
    if (!only || only.has(name)) setMember(members, name, value);
  };
  members[identifier.name] = item.id;
  for (const name of Object.keys(fields)) {
    const value = item.values[name];
    if (value === undefined) continue;
    add(name, fields[name]?.kind === 'timestamp' ? new Date(value as number).toISOString() : value);
  }
  for (const name of Object.keys(item.values)) {
    if (!Object.hasOwn(fields, name)) add(name, item.values[name] as JsonValue);
  }
  // A third of the work is the formatting of times. An unchanged item has only one time.
  const created = new Date(item.createdAt).toISOString();
  add('createdAt', created);
  add('updatedAt', item.updatedAt === item.createdAt ? created : new Date(item.updatedAt).toISOString());
  return members;
}

/** All properties of an item's representation, including links. */
export function itemMembers(
  resource: Resource,
  item: Item,
  basePath: string,
  only?: ReadonlySet<string>,
): JsonObject {
  const members = valueMembers(resource.description as Description, item, only);
  members.links = itemLinks(resource, item, basePath) as unknown as JsonValue;
  return members;
}
