import type { ItemFacts, Reference } from './description/description.ts';
import type { Item } from './item.ts';
import type { ReadItems } from './relation.ts';

/** The facts that show items: the name of their resource, and their properties. */
export type Listed = Pick<ItemFacts, 'name' | 'description'>;

/** The items of a resource that refer to one item of another resource, such as the orders of a customer. */
export interface RelatedList extends Listed {
  readonly title: string;
  /** The field with the identifier of the other item. */
  readonly field: string;
  /** True if an index has a partition for each value of the field. False: an index has its order. */
  readonly isPartition: boolean;
  /** True if the items have a list below the other item, which its page shows. */
  readonly isBelow: boolean;
  /** What happens to the items if the other item is removed. */
  readonly onDelete: Reference['onDelete'];
  /** True if people can add an item by a form. */
  readonly hasForm: boolean;
  /** The other fields that lead to items, and the facts of those items. */
  readonly relations: readonly { readonly field: string; readonly to: Listed }[];
}

/** A number of items. `isMore`: there are more. */
export interface Counted {
  readonly count: number;
  readonly isMore: boolean;
}

/** Reads what the page of an item shows of other resources. */
export interface RelatedReader {
  /**
   * Reads the newest items of a list, the last one first. `id`: the item that they refer to.
   * @throws Unavailable if the storage does not respond
   */
  readonly newest: (list: RelatedList, id: number | string, limit: number) => Promise<readonly Item[]>;
  /**
   * Counts the items that refer to an item, up to `most`. Undefined: no index has all of them.
   * @throws Unavailable if the storage does not respond
   */
  readonly count: (list: RelatedList, id: number | string, most: number) => Promise<Counted | undefined>;
  /**
   * Reads items by their identifiers.
   * @throws Unavailable if the storage does not respond
   */
  readonly read: (of: Listed, ids: Iterable<number | string>) => Promise<ReadItems>;
}
