import type { Item } from '../../../shared/resource/item.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { binariesSet, restorationOf, returnedItem } from '../../../shared/store/actions/restore.ts';
import { Versions } from '../../../shared/store/history/versions.ts';
import { type BinaryChanges, NO_CHANGES } from '../../../shared/store/write/bind-binaries.ts';
import { afterReplacement, isUnchanged, wholeValues } from '../../../shared/store/write/replacement.ts';
import { pastOf } from './past.ts';
import type { PastChange, Selection } from './selection.ts';

/** The change of an item that an undo makes. `last`: the last version of a removed item that comes back. */
export interface Effect {
  readonly kind: 'effect';
  readonly id: Item['id'];
  readonly change: 'updated' | 'restored' | 'removed';
  readonly before?: Item;
  readonly after?: Item;
  readonly last?: Item;
  readonly binaries: BinaryChanges;
}

/** What an undo does with an item. `waits`: a rule forbids the change now, and may allow it after the changes of others. */
export type Judgement =
  | Effect
  | { readonly kind: 'unchanged'; readonly id: Item['id'] }
  | { readonly kind: 'skipped'; readonly id: Item['id']; readonly reason: string; readonly waits?: true };

/** A run of an undo, as far as a judgement depends on it. `undo`: its operation; undefined: only a plan. */
export interface Judging {
  readonly selection: Selection;
  readonly undo: number | undefined;
  readonly now: number;
  /** The versions that the first selected changes of items made, as far as the step has read them: histories are long. */
  readonly firsts: Map<Item['id'], number | undefined>;
}

/**
 * Judges an item with a selected change. Returns undefined if the change is not the first selected one of the item, or if
 * this undo has dealt with the item before. It writes nothing.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function judge(
  resource: Resource,
  { id, version }: { readonly id: number | string; readonly version: number },
  { selection, undo, now, firsts }: Judging,
): Promise<Judgement | undefined> {
  if (firsts.has(id) && firsts.get(id) !== version) return undefined;
  const past = await pastOf(new Versions(resource, selection.caller, id), selection, undo);
  const first = past === 'done' ? undefined : past?.first;
  firsts.set(id, first);
  if (past === undefined || past === 'done' || first !== version) return undefined;
  const { before: wanted, present, last } = past;
  if (!wanted && !present) return { kind: 'unchanged', id };
  if (wanted === 'lost') return { kind: 'skipped', id, reason: 'its history is over' };
  const unreadable = [wanted, present, last].some((one) => one?.unreadable);
  if (unreadable) return { kind: 'skipped', id, reason: 'its stored form is unknown' };
  if (wanted && present && isUnchanged(wanted, present)) return { kind: 'unchanged', id };
  const obstacle = obstacleIn(past.other, selection);
  if (obstacle !== undefined) return { kind: 'skipped', id, reason: obstacle };
  if (!wanted) return { kind: 'effect', id, change: 'removed', before: present, binaries: NO_CHANGES };
  if (!last) return { kind: 'skipped', id, reason: 'its history is over' };
  const result = await restorationOf(resource, wanted, last, { isRemoved: !present, isUndo: true, now });
  if (result.kind !== 'allowed') {
    const reason = result.kind === 'refused' ? result.problem.detail : 'its state cannot change';
    return { kind: 'skipped', id, reason, waits: true };
  }
  const { values, binaries } = result;
  const { caller } = selection;
  if (!present) {
    const after = returnedItem(resource, result, { last, caller, now });
    return { kind: 'effect', id, change: 'restored', after, last, binaries: NO_CHANGES };
  }
  const { plan } = descriptionOf(resource);
  const stored = binariesSet(present, binaries);
  const after = afterReplacement(plan, present, wholeValues(plan, values), { now, caller }, stored);
  if (isUnchanged(present, after)) return { kind: 'unchanged', id };
  return { kind: 'effect', id, change: 'updated', before: present, after, binaries: stored };
}

/** Returns why an item stays as it is: a change since then is not selected. */
export function obstacleIn(
  other: PastChange | undefined,
  { over, by, operation, seesAuthors }: Selection,
): string | undefined {
  if (over || !other) return undefined;
  if (operation === undefined && other.by === by) return 'changed again after the given time';
  return seesAuthors && other.by !== undefined
    ? `changed since by ${other.by}`
    : 'changed since by another caller';
}
