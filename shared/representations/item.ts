import { type JsonObject, type JsonValue, setMember } from '../json/value.ts';
import type { Description } from '../resource/description.ts';
import { describedBy } from '../resource/discovery.ts';
import type { Item } from '../resource/item.ts';
import type { LinkFact } from '../resource/link.ts';
import type { Resource } from '../resource/resource.ts';

/** The path of an item, percent-encoded, without base path. */
export const itemHref = (resource: Resource, id: number | string): string =>
  `/${resource.name}/${typeof id === 'number' ? id : encodeURIComponent(id)}`;

/** The links of an item, the base path in front. Source: RFC 8288 §3; rels of the IANA registry where there is one. */
export function itemLinks(resource: Resource, item: Item, basePath: string): LinkFact[] {
  const links: LinkFact[] = [
    { rel: 'self', href: itemHref(resource, item.id), method: 'GET' },
    ...resource.links(item),
    { rel: 'collection', href: `/${resource.name}`, method: 'GET' },
  ];
  const { singular } = resource.description as Description;
  return [...prefixed(links, basePath), describedBy(singular, basePath)];
}

/** What is left of an item that does not exist any more: no links, as none would lead anywhere. */
export const goneMembers = (resource: Resource, id: number | string): JsonObject => ({
  [(resource.description as Description).identifier.name]: id,
});

/** Links as clients see them: the base path in front, the method named. */
export const prefixed = (links: readonly LinkFact[], basePath: string): LinkFact[] =>
  links.map(({ rel, href, method = 'GET', ...more }) => ({ rel, href: basePath + href, method, ...more }));

/** What an item says of itself: identifier, declared fields, open properties, times. */
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
  // Formatting a time is a third of the work; an item that never changed has one only.
  const created = new Date(item.createdAt).toISOString();
  add('createdAt', created);
  add('updatedAt', item.updatedAt === item.createdAt ? created : new Date(item.updatedAt).toISOString());
  return members;
}

/** The members of an item's representation: what it says of itself, and links. */
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
