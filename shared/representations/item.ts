import type { Link } from '../http/fields/link.ts';
import { type JsonObject, type JsonValue, setMember } from '../json/value.ts';
import { type Sight, sightOf } from '../resource/access/sight.ts';
import { binaryHref, shownBinary } from '../resource/binary.ts';
import type { Description } from '../resource/description/description.ts';
import { withValuesAtReading } from '../resource/description/values.ts';
import type { Item, Memento, Moment } from '../resource/item.ts';
import { type LinkFact, SCHEMAS } from '../resource/link.ts';
import { type Expansion, relatedId, relatedIn } from '../resource/relation.ts';
import { descriptionOf, type Resource } from '../resource/resource.ts';

/** The path of an item, percent-encoded, without base path. */
export const itemHref = (resource: Pick<Resource, 'name'>, id: number | string): string =>
  `/${resource.name}/${typeof id === 'number' ? id : encodeURIComponent(id)}`;

/** The properties and related items that a representation shows of an item. */
export interface Showing {
  /** The properties to show, in addition to the identifier; undefined: all. */
  readonly only?: ReadonlySet<string>;
  /** What the reader sees; undefined: what every caller sees. Source: Specification 11.15; decision 57. */
  readonly sight?: Sight | undefined;
  /** The item is shown as it was in this version. */
  readonly version?: number;
  /** The item is part of another representation, such as a list. */
  readonly isPart?: boolean;
  /** The entity tag of the item, which its link `self` shows. */
  readonly etag?: string | undefined;
  /** The related items to show inside. */
  readonly expansions?: readonly Expansion[];
  /** The links of the item, if they are known already. */
  readonly links?: readonly LinkFact[];
  /** The time of the response in ms since the epoch, for values at reading; undefined: without them. */
  readonly now?: number | undefined;
}

/** A resource, or its facts of items. The resource must have items. */
type Described = Pick<Resource, 'name' | 'description' | 'links'>;

/**
 * The links of an item, with base path. An item that is part of a list leaves out `collection` and `describedby`,
 * because the list has them. The relation types are those of the IANA registry where it has one.
 *
 * Source: RFC 8288 §3; Specification 2.35.
 */
export function itemLinks(
  resource: Described,
  item: Item,
  basePath: string,
  { isPart, etag }: Pick<Showing, 'isPart' | 'etag'> = {},
): LinkFact[] {
  const self = { rel: 'self', href: itemHref(resource, item.id), ...(etag ? { etag } : {}) };
  const own = item.unreadable ? [self] : [self, ...resource.links(item)];
  if (isPart) return withBasePath(own, basePath);
  const { singular } = descriptionOf(resource);
  const links = [...own, { rel: 'collection', href: `/${resource.name}` }];
  return [...withBasePath(links, basePath), describedBy(singular, basePath)];
}

/**
 * The links from an item to its versions, for `Link`. Without `memento`, the item is also its own time gate.
 *
 * Source: RFC 7089 §2.2; RFC 5829 §3.1.
 */
export function historyLinks(
  resource: Pick<Resource, 'name'>,
  id: number | string,
  basePath: string,
  memento?: Memento,
): Link[] {
  const href = basePath + itemHref(resource, id);
  const past = (rel: string, one: Moment | undefined): Link[] =>
    one ? [{ rel: `${rel} memento`, href: `${href}/versions/${one.version}`, time: one.time }] : [];
  return [
    { rel: 'version-history timemap', href: `${href}/versions` },
    { rel: 'original timegate', href },
    ...past('prev', memento?.previous),
    ...past('next', memento?.next),
  ];
}

/** The links of an item as it was in a version, with base path. */
export const mementoLinks = (resource: Described, { links }: Memento, basePath: string): LinkFact[] => [
  ...withBasePath(links, basePath),
  describedBy(descriptionOf(resource).singular, basePath),
];

/**
 * The properties of an item that no longer exists: its identifier without links, because a link would not
 * dereference. Source: Specification 1.12.
 */
export const goneMembers = (resource: Described, id: number | string): JsonObject => ({
  [descriptionOf(resource).identifier.name]: id,
});

/** The link from a representation to its JSON Schema. */
export const describedBy = (name: string, basePath: string): LinkFact => ({
  rel: 'describedby',
  href: basePath + SCHEMAS + name,
  method: 'GET',
});

/** Adds the base path to links within this service, and the method to all. */
export const withBasePath = (links: readonly LinkFact[], basePath: string): LinkFact[] =>
  links.map(({ rel, href, method = 'GET', template, ...more }) => ({
    rel,
    href: href.startsWith('/') ? basePath + href : href,
    method,
    ...more,
    ...(template === undefined ? {} : { template: basePath + template }),
  }));

const UNKNOWN: Pick<Item, 'values' | 'binaries'> = { values: {} };

/**
 * The properties of an item without links: identifier, declared fields, undeclared properties, times, authors.
 * An item of unknown stored form has only the identifier, the times and the authors. Source: Specification 13.1.
 */
export function valueMembers(
  { name: collection, description }: Pick<Resource, 'name' | 'description'>,
  item: Item,
  basePath: string,
  {
    only,
    sight = sightOf(description as Description, undefined),
    version,
    now,
  }: Pick<Showing, 'only' | 'sight' | 'version' | 'now'> = {},
): JsonObject {
  const { identifier, fields, open, plan } = description as Description;
  const { values: stored, binaries } = item.unreadable ? UNKNOWN : item;
  const isDerived = plan.atReading.length > 0 && now !== undefined && !item.unreadable;
  const values = isDerived ? withValuesAtReading(plan, stored, now) : stored;
  const members: JsonObject = { [identifier.name]: item.id };
  const isSelected = (name: string) => !only || only.has(name);
  const add = (name: string, value: JsonValue) => {
    if (isSelected(name)) members[name] = value;
  };
  const addBytes = (name: string) => {
    const stored = binaries?.[name];
    if (!stored || !isSelected(name)) return;
    const href = basePath + binaryHref(collection, item.id, name, version);
    setMember(members, name, shownBinary(href, stored));
  };
  for (const name of Object.keys(sight.description.fields)) {
    if (fields[name]?.kind === 'binary') addBytes(name);
    const value = values[name];
    if (value === undefined) continue;
    add(name, fields[name]?.kind === 'timestamp' ? new Date(value as number).toISOString() : value);
  }
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(fields, name) && isSelected(name)) setMember(members, name, values[name] as JsonValue);
  }
  if (open && binaries) for (const name in binaries) if (!Object.hasOwn(fields, name)) addBytes(name);
  // A third of the work is the formatting of times. An unchanged item has only one time.
  const created = new Date(item.createdAt).toISOString();
  add('createdAt', created);
  add('updatedAt', item.updatedAt === item.createdAt ? created : new Date(item.updatedAt).toISOString());
  if (sight.authors) {
    if (item.createdBy !== undefined) add('createdBy', item.createdBy);
    if (item.updatedBy !== undefined) add('updatedBy', item.updatedBy);
  }
  return members;
}

/** The properties of an item's representation, with its links if they are selected. */
export function itemMembers(
  resource: Described,
  item: Item,
  basePath: string,
  { only, sight, isPart, etag, expansions = [], links, version, now }: Showing = {},
): JsonObject {
  const members = valueMembers(resource, item, basePath, { only, sight, version, now });
  for (const one of expansions) members[one.name] = expandedValue(one, item, basePath, now);
  if (!only || only.has('links'))
    members.links = (links ?? itemLinks(resource, item, basePath, { isPart, etag })) as unknown as JsonValue;
  return members;
}

/** The value of an expanded relation. Source: Specification 1.12, 4.24. */
function expandedValue(
  expansion: Expansion,
  item: Item,
  basePath: string,
  now: number | undefined,
): JsonValue {
  const { relation, sight } = expansion;
  const { to, kind } = relation;
  const id = relatedId(relation, item);
  const related = relatedIn(expansion, item);
  const shown = related && itemMembers(to, related, basePath, { sight, isPart: true, now });
  if (kind === 'one') return shown ?? null;
  return id === undefined ? [] : [shown ?? goneMembers(to, id)];
}
