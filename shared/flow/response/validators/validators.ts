import { createHash } from 'node:crypto';
import type { Preconditions, Validators } from '../../../http/conditional/conditions.ts';
import {
  type EntityTag,
  formatEntityTag,
  parseEntityTags,
  withoutCodings,
} from '../../../http/conditional/entity-tag.ts';
import type { State } from '../../../resource/actions/outcome.ts';
import { withValuesAtReading } from '../../../resource/description/values.ts';
import type { Item } from '../../../resource/item.ts';
import { relatedId, relatedIn } from '../../../resource/relation.ts';
import type { Rendered, View } from '../../exchange.ts';

const DIGEST_CHARACTERS = 22;
const NONE: Validators = {};

/**
 * The validators of the representation that a GET would send. For an item, they are its version, the revision of
 * its definition and its time. Bytes have their own. For lists and documents, the tag is a digest of the text. For
 * lists, it covers the links too, because some formats show them in `Link` only. `rendered`: the text of a list or a
 * document; without it, the state has no validators.
 *
 * Source: RFC 9110 §8.8.
 */
export function validatorsOf(
  exchange: View,
  state: State,
  rendered?: Pick<Rendered, 'document' | 'text'>,
): Validators {
  const { resource, representation } = exchange;
  const { suffix } = representation;
  if (state.kind === 'bytes') return { etag: state.bytes.etag, lastModified: state.bytes.lastModified };
  if (suffix === undefined) return NONE;
  if (state.kind === 'item') {
    const { item, memento } = state;
    const links = memento && `${memento.previous?.version}.${memento.next?.version}`;
    // A relation may lead to another item later, with the same version and an earlier time. Source: Specification 1.11.
    const { isSafe, parameters } = exchange;
    const isRelated = isSafe && parameters.id !== undefined && parameters.id !== item.id;
    const now = memento ? undefined : exchange.request.receivedAt;
    const view = viewOf({ ...exchange, now }, item, isRelated ? `${item.id}` : links);
    const etag = itemTag(item.version, resource.revision, suffix, view);
    return isRelated ? { etag } : { etag, lastModified: lastModifiedOf(exchange, item, memento?.next?.time) };
  }
  if (!rendered) return NONE;
  const hash = createHash('sha256').update(rendered.text);
  if (state.kind === 'list') hash.update(JSON.stringify(rendered.document.links));
  const digest = hash.digest('base64url').slice(0, DIGEST_CHARACTERS);
  return { etag: { weak: false, opaque: `${digest}-${suffix}` } };
}

/** The scopes with which the caller sees more than other callers do, of the items and of their related items. */
export const scopesIn = ({ sight, expansions = [] }: Pick<View, 'sight' | 'expansions'>): string[] => [
  ...new Set([sight, ...expansions.map((one) => one.sight)].flatMap((one) => one?.scopes ?? [])),
];

/** What a representation selects. `now`: its time in ms since the epoch; undefined: it shows a version. */
type Viewed = Pick<View, 'sight' | 'fields' | 'expansions'> & {
  readonly now: number | undefined;
};

/** Returns the values that the response computes and the caller sees, as a text; nothing if the items have none. */
function atReading(sight: View['sight'], item: Item, now: number | undefined): string[] {
  const { plan } = sight?.description ?? {};
  if (!plan?.atReading.length || item.unreadable || now === undefined) return [];
  const values = withValuesAtReading(plan, item.values, now);
  return [JSON.stringify(plan.atReading.map(([name]) => values[name] ?? null))];
}

/**
 * Identifies what the representation selects: the properties, the related items with their versions, the scopes with
 * which the caller sees more than others, and `led`: the versions that a version links, or the item that a relation has.
 */
function viewOf({ sight, fields, expansions, now }: Viewed, item: Item, led?: string): string | undefined {
  const distinct = [
    ...(sight?.scopes ?? []),
    ...(led === undefined ? [] : [led]),
    ...atReading(sight, item, now),
  ];
  if (!fields && !expansions && distinct.length === 0) return undefined;
  const related = expansions?.map((expansion) => {
    const one = relatedIn(expansion, item);
    const { to } = expansion.relation;
    const derived = one ? atReading(expansion.sight, one, now) : [];
    return [expansion.name, one?.id, one?.version, to.revision, ...expansion.sight.scopes, ...derived];
  });
  return JSON.stringify([fields && [...fields].sort(), related, ...distinct]);
}

const changesAtReading = (sight: View['sight']): boolean =>
  sight !== undefined && sight.description.plan.atReading.length > 0;

/**
 * The time of the last change of anything that the representation shows, also of the link to the next version. Unknown if
 * a related item is missing: the time of its removal is not stored. Unknown too if the caller sees more than others: a date
 * does not say how much the client has seen before.
 */
function lastModifiedOf(view: View, item: Item, linked = item.updatedAt): number | undefined {
  if (scopesIn(view).length > 0) return undefined;
  const { expansions = [], sight } = view;
  // A value at reading changes without a change of the item.
  if ([sight, ...expansions.map((one) => one.sight)].some(changesAtReading)) return undefined;
  const related = expansions.filter(({ relation }) => relatedId(relation, item) !== undefined);
  const times = related.map((one) => relatedIn(one, item)?.updatedAt);
  return times.reduce(
    (last, time) => (last === undefined || time === undefined ? undefined : Math.max(last, time)),
    linked,
  );
}

/**
 * The entity tag of one representation of an item: its version, the revision of its definition, the format. `view`:
 * a text that identifies what the query selects; undefined: the whole item.
 */
export function itemTag(version: number, revision: number, suffix: string, view?: string): EntityTag {
  const selected = view === undefined ? '' : `.${digestOf(view)}`;
  return { weak: false, opaque: `${version}.${revision}${selected}-${suffix}` };
}

/** The formats of items, which a list can have too. */
const OF_ITEMS = ['json', 'xml', 'txml'];

/**
 * The entity tag of an item in a list: that of the whole item in the format of the list, or in JSON. Undefined on pages, and
 * for an item whose row in the list has another version, such as a file. Source: Specification 2.35.
 */
export function listedTag(
  { resource, representation, sight, request }: View,
  item: Item,
): string | undefined {
  const { suffix } = representation;
  const { tracked, description, revision } = resource;
  if (suffix === undefined || tracked || description?.identifier.kind === 'text' || item.unreadable)
    return undefined;
  const view = viewOf({ sight, fields: undefined, expansions: undefined, now: request.receivedAt }, item);
  return formatEntityTag(itemTag(item.version, revision, OF_ITEMS.includes(suffix) ? suffix : 'json', view));
}

const digestOf = (view: string): string => createHash('sha256').update(view).digest('hex').slice(0, 16);

/** A tag that all representations of a version share. */
const versionTag = (version: number | string): string => `${version}.*`;

/** The entity tags of a field, with each tag of this service reduced to its version, without format and coding. */
function toVersionTags(field: string | undefined): string | undefined {
  const plain = withoutCodings(field);
  const tags = plain === undefined ? undefined : parseEntityTags(plain);
  if (tags === undefined || tags === '*') return field;
  return tags
    .map(({ weak, opaque }) => {
      const version = /^([0-9]+)\.[0-9]+(?:\.[0-9a-f]{16})?-[a-z]+[0-9]*$/.exec(opaque)?.[1];
      return formatEntityTag({ weak, opaque: version === undefined ? opaque : versionTag(version) });
    })
    .join(', ');
}

/**
 * Preconditions of a write, compared by version. The write changes the item in every format, so the tag of any
 * representation of the current version matches.
 */
export const versionPreconditions = (
  given: Preconditions,
  version: number,
  lastModified: number | undefined,
): { given: Preconditions; current: Validators } => ({
  given: { ...given, ifMatch: toVersionTags(given.ifMatch), ifNoneMatch: toVersionTags(given.ifNoneMatch) },
  current: { etag: { weak: false, opaque: versionTag(version) }, lastModified },
});
