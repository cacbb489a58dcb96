import { MAXIMUM_TEXT } from '../../http/maximum-sizes.ts';
import type { Principal } from '../../http/request.ts';
import { scopeFor } from '../../resource/access/access.ts';
import { ANYONE, type Caller, lacksTenant } from '../../resource/access/owner.ts';
import { sightOf } from '../../resource/access/sight.ts';
import type { State } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { endedEarly } from '../../resource/lists/page.ts';
import { type Expansion, type Relation, relatedId, relatedIn } from '../../resource/relation.ts';
import type { Resource } from '../../resource/resource.ts';
import type { NamedRelation, Understood } from '../exchange.ts';

/** A state, and the related items that its representation shows. */
export interface Expanded {
  readonly state: State;
  readonly expansions: readonly Expansion[] | undefined;
}

/** Items whose related items the service reads together: the keys of one BatchGetItem. */
const TOGETHER = 100;

const IDENTIFIER = /^\d{1,15}$/;

/**
 * Reads the related items that the request wants to see inside the items of a state. If they are larger than a response, or
 * if the request has too few read units for them, a page ends early. A representation with the names of related items shows
 * all that the caller may read, also those that the query names.
 *
 * Source: Specification 4.2, 4.24.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function expandState(
  { request, resource, expand, page, representation }: Understood,
  state: State,
): Promise<Expanded> {
  const caller = request.principal ?? ANYONE;
  const wanted = representation.namesRelated ? readable(resource, request.principal) : expand;
  if (wanted.length === 0) return { state, expansions: undefined };
  const expansions = wanted.map((one) => ({
    ...one,
    sight: sightOf(one.relation.to.description, request),
    items: new Map<number | string, Item>(),
    unread: new Set<number | string>(),
  }));
  if (state.kind !== 'list') {
    const proposed = representation.namesRelated ? [{ values: proposedIn(request, expansions) }] : [];
    await addRelated(caller, expansions, [...shownIn(state), ...proposed]);
    return { state, expansions };
  }
  const backwards = page.after?.backwards === true;
  const items = state.page.items.flatMap((item) => ('gone' in item ? [] : [item]));
  if (backwards) items.reverse();
  const count = await addFitting(caller, expansions, items);
  const shorter = count < items.length ? endedEarly(state.page, count, backwards) : undefined;
  if (shorter) return { state: { kind: 'list', page: shorter }, expansions };
  // A page that cannot be divided shows all of its items.
  await addRelated(caller, expansions, items.slice(count));
  return { state, expansions };
}

/** The items that a page names, other than those of a list. */
function shownIn(state: State): readonly Item[] {
  if (state.kind === 'item') return [state.item];
  if (state.kind !== 'document') return [];
  return state.about ? [state.about] : (state.entries ?? []).map(({ item }) => item);
}

/** The identifiers of related items in the query: `/orders/new?customerId=7`. */
const proposedIn = ({ query }: Understood['request'], wanted: readonly NamedRelation[]): Item['values'] =>
  Object.fromEntries(
    wanted.flatMap(({ relation: { field } }) => {
      const text = query.get(field)?.[0] ?? '';
      return IDENTIFIER.test(text) ? [[field, Number(text)]] : [];
    }),
  );

/** The relations to items that the caller could also read by their own URIs. Source: Specification 11.4. */
const readable = ({ relations }: Resource, principal: Principal | undefined): NamedRelation[] =>
  Object.entries(relations).flatMap(([name, relation]) =>
    refusedBy(relation, principal) === undefined ? [{ name, relation }] : [],
  );

/** Why a caller cannot read the related items by their own URIs; undefined if it can. */
export function refusedBy(
  { to }: Relation,
  principal: Principal | undefined,
): { readonly scope: string } | 'no tenant' | undefined {
  if (!principal) return undefined;
  const scope = scopeFor(to.name, 'GET');
  if (!principal.scopes.includes(scope)) return { scope };
  return lacksTenant(to, principal) ? 'no tenant' : undefined;
}

interface Growing extends Expansion {
  readonly items: Map<number | string, Item>;
  /** Those for which the request has too few read units left. */
  readonly unread: Set<number | string>;
}

/**
 * Adds the related items of as many items as fit into a response and into the read units of the request, and of at least
 * one. Returns their number.
 */
async function addFitting(
  caller: Caller,
  expansions: readonly Growing[],
  items: readonly Item[],
): Promise<number> {
  const sizes = new Map<Item, number>();
  let bytes = 0;
  for (let at = 0; at < items.length; at += 1) {
    if (at % TOGETHER === 0) await addRelated(caller, expansions, items.slice(at, at + TOGETHER));
    const item = items[at] as Item;
    if (at > 0 && expansions.some((one) => one.unread.has(relatedId(one.relation, item) ?? ''))) return at;
    for (const related of expansions.flatMap((one) => relatedIn(one, item) ?? [])) {
      const size = sizes.get(related) ?? Buffer.byteLength(JSON.stringify(related.values));
      sizes.set(related, size);
      bytes += size;
    }
    if (bytes > MAXIMUM_TEXT && at > 0) return at;
  }
  return items.length;
}

/** Reads the related items that are not yet known, with one read for each relation. */
async function addRelated(
  caller: Caller,
  expansions: readonly Growing[],
  items: readonly Pick<Item, 'values'>[],
): Promise<void> {
  await Promise.all(
    expansions.map(async ({ relation, items: known, unread }) => {
      const ids = items.flatMap((item) => relatedId(relation, item) ?? []).filter((id) => !known.has(id));
      if (ids.length === 0) return;
      const read = await relation.read(relation.to, ids, caller);
      for (const [id, item] of read.items) known.set(id, item);
      for (const id of read.unread) unread.add(id);
    }),
  );
}
