import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Problem } from '../../../shared/http/problem.ts';
import type { Caller } from '../../../shared/resource/access/owner.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import { unlist } from '../../../shared/store/history/removed.ts';
import { lastVersions } from '../../../shared/store/history/removed-version.ts';
import type { ItemChange } from '../../../shared/store/write/item-change.ts';
import { wholeValues } from '../../../shared/store/write/replacement.ts';
import { agree } from '../../../shared/store/write/stored-inventory.ts';
import { insertion, removal, replacement } from '../../../shared/store/write/write-requests.ts';
import type { Effect } from './effect.ts';

/** The parts of a transaction with some effects. `refusals`: the problems of those that a rule forbids, by their index. */
export interface Writes {
  readonly parts: readonly TransactWriteItem[];
  readonly refusals: ReadonlyMap<number, Problem>;
}

/** Returns the change of an item for the rules of several items. */
export const changeOf = ({ before, after, last }: Effect): ItemChange => ({
  ...(before && { before }),
  ...(after && { after }),
  ...(last && { last }),
  isUndo: true,
});

/**
 * Returns the writes of effects on items of one resource. Each requires the item as the effect saw it.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function writesOf(
  resource: Resource,
  effects: readonly Effect[],
  { caller, now }: { readonly caller: Caller; readonly now: number },
): Promise<Writes> {
  const { parts, refusals } = await checkConstraints(resource, effects.map(changeOf));
  const allowed = effects.filter((_, at) => !refusals.has(at));
  const agreed = await agree(resource);
  const removed = allowed.flatMap(({ before, after }) => (before && !after ? [before.id] : []));
  const kept = await lastVersions(resource, removed, caller);
  const { plan } = descriptionOf(resource);
  const own = allowed.flatMap(({ id, before, after, last, binaries }): TransactWriteItem[] => {
    if (before && after) {
      const facts = { now, caller, version: before.version, before, binaries, restores: true };
      return [{ Update: replacement(agreed, id, wholeValues(plan, after.values), facts) }];
    }
    if (after && last) return [{ Put: insertion(agreed, after, { restores: true }) }, unlist(resource, last)];
    const version = kept.get(id);
    return [{ Delete: removal(resource, id, caller, before?.version) }, ...(version ? [version.part] : [])];
  });
  return { parts: [...own, ...parts], refusals };
}
