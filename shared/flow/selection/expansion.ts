import type { State } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { endedEarly } from '../../resource/lists/page.ts';
import { ownerOf } from '../../resource/owner.ts';
import { type Expansion, relatedId, relatedIn } from '../../resource/relation.ts';
import type { Resource } from '../../resource/resource.ts';
import type { NamedRelation, Understood } from '../exchange.ts';
import { MAXIMUM_TEXT } from '../request/limits.ts';

/** A state, and the related items that its representation shows. */
export interface Expanded {
  readonly state: State;
  readonly expansions: readonly Expansion[] | undefined;
}

/** Items whose related items the service reads together: the keys of one BatchGetItem. */
const TOGETHER = 100;

/**
 * Reads the related items that the request wants to see inside the items of a state. If they are larger than a
 * response, a page ends early. A page for people names all related items.
 *
 * Source: Specification 4.2, 4.24.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function expanded(
  { request, resource, expand, page, representation }: Understood,
  state: State,
): Promise<Expanded> {
  const wanted = representation.suffix === undefined ? relationsOf(resource) : expand;
  if (wanted.length === 0) return { state, expansions: undefined };
  const expansions = wanted.map((one) => ({
    ...one,
    whose: ownerOf(one.relation.to, request.principal),
    items: new Map<number | string, Item>(),
  }));
  if (state.kind === 'item') {
    await addRelated(expansions, [state.item]);
    return { state, expansions };
  }
  if (state.kind !== 'list') return { state, expansions };
  const backwards = page.after?.backwards === true;
  const items = state.page.items.flatMap((item) => ('gone' in item ? [] : [item]));
  if (backwards) items.reverse();
  const count = await addFitting(expansions, items);
  const shorter = count < items.length ? endedEarly(state.page, count, backwards) : undefined;
  if (shorter) return { state: { kind: 'list', page: shorter }, expansions };
  // A page that cannot be divided shows all of its items.
  await addRelated(expansions, items.slice(count));
  return { state, expansions };
}

const relationsOf = ({ relations }: Resource): NamedRelation[] =>
  Object.entries(relations).map(([name, relation]) => ({ name, relation }));

/** `whose`: the owner whose related items the caller may see, if they have owners. */
interface Growing extends Expansion {
  readonly whose: string | undefined;
  readonly items: Map<number | string, Item>;
}

/** Adds the related items of as many items as fit into a response, and of at least one. Returns their number. */
async function addFitting(expansions: readonly Growing[], items: readonly Item[]): Promise<number> {
  const sizes = new Map<Item, number>();
  let bytes = 0;
  for (let at = 0; at < items.length; at += 1) {
    if (at % TOGETHER === 0) await addRelated(expansions, items.slice(at, at + TOGETHER));
    for (const related of expansions.flatMap((one) => relatedIn(one, items[at] as Item) ?? [])) {
      const size = sizes.get(related) ?? Buffer.byteLength(JSON.stringify(related.values));
      sizes.set(related, size);
      bytes += size;
    }
    if (bytes > MAXIMUM_TEXT && at > 0) return at;
  }
  return items.length;
}

/** Reads the related items that are not yet known, with one read for each relation. */
async function addRelated(expansions: readonly Growing[], items: readonly Item[]): Promise<void> {
  await Promise.all(
    expansions.map(async ({ relation, whose, items: known }) => {
      const ids = items.flatMap((item) => relatedId(relation, item) ?? []).filter((id) => !known.has(id));
      if (ids.length === 0) return;
      for (const [id, item] of await relation.read(relation.to, ids, whose)) known.set(id, item);
    }),
  );
}
