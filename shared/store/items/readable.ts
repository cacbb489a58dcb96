import { log } from '../../aws/log.ts';
import type { Item } from '../../resource/item.ts';
import { UnreadableItem } from '../../resource/unreadable-item.ts';

/** Writes a log line for each item that this release cannot read: where it is and which attributes, without values. */
export function logUnreadable(resource: string, items: readonly Item[]): void {
  for (const { id, unreadable } of items) {
    if (unreadable) log('error', { unreadable: { resource, id, attributes: unreadable } });
  }
}

/**
 * The item, for a response or a write that needs all its values.
 * @throws UnreadableItem if some of them have an unknown form: a write would lose them
 */
export function readable(resource: string, item: Item): Item {
  if (!item.unreadable) return item;
  logUnreadable(resource, [item]);
  throw new UnreadableItem();
}
