import { currentTime } from '../../aws/clock.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/unavailable.ts';
import { SERVICE } from '../../resource/access/owner.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import { withRemovals } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { itemsOf } from '../../store/items/items.ts';

/** A reference of an item: its field, and the identifier of the referenced item. */
export interface ItemReference {
  readonly field: string;
  readonly id: number;
}

/**
 * Removes a reference from an item, in a new version without an author. An item stays as it is if it has another value
 * meanwhile, or an unknown form. Returns whether it has changed. `read`: the item as the caller read it.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers of the item continue
 */
export async function clearItem(
  resource: Resource,
  read: Item,
  { field, id }: ItemReference,
): Promise<boolean> {
  const items = itemsOf(resource, SERVICE);
  let item: Item | undefined = read;
  for await (const _ of attempts(RETRIES.element)) {
    if (!item || item.unreadable || item.values[field] !== id) return false;
    const { [field]: _reference, ...left } = item.values;
    const values = withRemovals(descriptionOf(resource), left);
    const write = { now: currentTime(), version: item.version, before: item };
    const result = await items.replace(item.id, values, write);
    if (result.kind !== 'stale') return result.kind === 'written';
    item = await items.get(item.id);
  }
  throw new Unavailable(new Error('Conflicts with other writers of an item did not end'));
}
