import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import type { Call } from '../../resource/actions/action.ts';
import { withRemovals } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { SentBinary } from '../../resource/sent.ts';
import { type BinaryChanges, discardStored, storeBinaries } from '../../store/write/bind-binaries.ts';
import { isUnchanged, withChangedBinaries } from '../../store/write/replacement.ts';
import { agree } from '../../store/write/stored-inventory.ts';
import { replacement, sameVersion } from '../../store/write/write-requests.ts';

/** An item before and after its replacement, and the binary properties that the request changes. */
export interface Replaced {
  readonly kind: 'prepared';
  readonly before: Item;
  readonly after: Item;
  readonly binaries: readonly SentBinary[];
}

/** A replacement whose bytes are stored. `after` names them. */
export interface Bound extends Replaced {
  readonly changes: BinaryChanges;
}

/** Stores the bytes of replacements. @throws Unavailable if the storage does not respond */
export const bound = (
  resource: Resource,
  replaced: readonly Replaced[],
  { now }: Pick<Call, 'now'>,
): Promise<Bound[]> =>
  mapConcurrently(CONCURRENCY.files, replaced, async (one) => {
    const changes = await storeBinaries(resource, one.before.id, one.binaries, now);
    const after = withChangedBinaries(one.after, changes);
    return { ...one, changes, after: isUnchanged(one.before, after) ? one.before : after };
  });

/** Removes the bytes of replacements that were not written. */
export const discardBound = (resource: Resource, all: readonly Bound[]): Promise<void> =>
  discardStored(
    resource,
    all.map(({ changes }) => changes),
  );

/**
 * Returns the parts of a transaction that write replacements. Each requires the version that was read, also if the
 * replacement changes nothing.
 */
export async function partsOf(
  resource: Resource,
  all: readonly Bound[],
  { caller, now }: Pick<Call, 'caller' | 'now'>,
): Promise<TransactWriteItem[]> {
  const agreed = await agree(resource);
  return all.map(({ before, after, changes: binaries }) => {
    if (after === before) return { ConditionCheck: sameVersion(resource, before) };
    const values = withRemovals(descriptionOf(resource), after.values);
    const facts = { now, caller, version: before.version, binaries, before };
    return { Update: replacement(agreed, before.id, values, facts) };
  });
}
