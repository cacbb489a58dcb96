import type { Item } from '../../resource/item.ts';

/** A change of one item. A new item has no `before`, and a removed one has no `after`. */
export interface ItemChange {
  readonly before?: Item;
  readonly after?: Item;
  /** No request sets the values now: `after` was stored before, here or in another service. */
  readonly wasStored?: true;
}
