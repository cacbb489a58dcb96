import type { JsonObject } from '../../json/value.ts';
import type { Item } from '../item.ts';

/**
 * The items of a resource, as a custom action reads and writes them. A method throws if the action itself is wrong, for
 * example if it sets a field that does not exist.
 */
export interface ItemsInUnit {
  /**
   * Reads an item that the caller may see, with the changes of this action. Returns undefined for a missing item.
   * @throws Unavailable if the storage does not respond; UnreadableItem if its stored form is unknown
   */
  get(id: number): Promise<Item | undefined>;
  /** Creates an item. The values may include fields that only the service sets. */
  create(values: JsonObject): Item;
  /** Changes these values of an item. null removes a value. The values may include fields that only the service sets. */
  update(item: Item, changes: JsonObject): Item;
  remove(item: Item): void;
}

/** The items of the own resource, and those of the resources in `uses`. `Other`: the type of resources. */
export interface ActionItems<Other> extends ItemsInUnit {
  /** The items of another resource. @throws Error if `uses` does not name it under `writes` */
  of(other: Other): ItemsInUnit;
}
