import type { Item } from '../../../shared/resource/item.ts';
import type { Versions } from '../../../shared/store/history/versions.ts';
import { isSelected, type PastChange, type Selection } from './selection.ts';

/** What the selected changes did to an item. */
export interface Past {
  /** The version that the first of them made. */
  readonly first: number;
  /** The item before; undefined: it did not exist; `lost`: the history does not have it any more. */
  readonly before: Item | 'lost' | undefined;
  /** The newest change after the first one that is not selected. */
  readonly other: PastChange | undefined;
  /** The item as it is; undefined: it does not exist. */
  readonly present: Item | undefined;
  /** The item as it is, or as it was before its removal. */
  readonly last: Item | undefined;
}

/**
 * Finds what the selected changes did to an item. `undo`: the operation of the undo itself. Returns undefined if no change
 * of the item is selected, and `done` if this undo has dealt with the item before.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function pastOf(
  versions: Versions,
  selection: Selection,
  undo: number | undefined,
): Promise<Past | 'done' | undefined> {
  const present = (await versions.present())?.item;
  let last: Item | undefined;
  let first: PastChange | undefined;
  let other: PastChange | undefined;
  let unselected: PastChange | undefined;
  let before: Past['before'];
  for await (const { change, after } of changesOf(versions)) {
    last ??= after;
    if (first && before === 'lost' && change.version === first.version - 1) before = after;
    if (change.time < selection.since) break;
    if (!first && undo !== undefined && change.mark?.isUndo && change.mark.operation === undo) return 'done';
    if (isSelected(selection, change)) {
      first = change;
      other = unselected;
      // Until the version before it appears.
      before = change.version === 1 ? undefined : 'lost';
    } else unselected ??= change;
  }
  return first && { first: first.version, before, other, present, last };
}

/** Yields the changes of an item, the newest one first, each with the state after it. A removal has a number of its own. */
async function* changesOf(versions: Versions) {
  for await (const { item, removal, mark } of versions.newestFirst()) {
    const { version, updatedAt: time, updatedBy: by } = item;
    if (removal) {
      const change = { version: version + 1, time: removal.at, by: removal.by, mark: removal.mark };
      yield { change, after: undefined };
    }
    yield { change: { version, time, by, mark }, after: item };
  }
}
