import type { Caller } from './access/owner.ts';
import type { Sight } from './access/sight.ts';
import type { ItemFacts, Reference } from './description/description.ts';
import type { Item } from './item.ts';

/** Items by their identifiers, without those that do not exist, and those that the caller may not see. */
export interface ReadItems {
  readonly items: ReadonlyMap<number | string, Item>;
  /** The items for which the request has too few read units left. */
  readonly unread: ReadonlySet<number | string>;
}

/** A relation of an item to items of another resource. A representation of the item can show them inside. */
export interface Relation<Field extends string = string> {
  /** The related items. */
  readonly to: ItemFacts;
  /** The field with the identifier of the related item. */
  readonly field: Field;
  /** `one`: the related item, or null if it does not exist. `many`: a list, as the URI of the relation shows it. */
  readonly kind: 'one' | 'many';
  /**
   * Reads items by their identifiers, as last written.
   *
   * @throws Unavailable if the storage does not respond
   */
  readonly read: (of: ItemFacts, ids: Iterable<number | string>, caller: Caller) => Promise<ReadItems>;
  /**
   * Finds the first items whose titles begin with a text, in the order of the titles. The first letter can have the other
   * case. Returns undefined if no index has all titles yet. Absent if the title is not a field with an index.
   *
   * @throws Unavailable if the storage does not respond
   */
  readonly find?: (
    of: ItemFacts,
    beginning: string,
    caller: Caller,
    limit: number,
  ) => Promise<FoundItems | undefined>;
}

/** The first items of a search. `isMore`: others can match, which are too many or too large to be read. */
export interface FoundItems {
  readonly items: readonly Item[];
  readonly isMore: boolean;
}

/** Returns the field with the titles of items, if an index has its order and every caller may see it. */
export function titleField({
  description,
  sortable = [],
}: Pick<ItemFacts, 'description' | 'sortable'>): string | undefined {
  const { title } = description;
  if (typeof title !== 'string' || !sortable.includes(title)) return undefined;
  return description.fields[title]?.readableBy === undefined ? title : undefined;
}

/** A relation that a response shows, with its name and the related items. */
export interface Expansion extends ReadItems {
  readonly name: string;
  readonly relation: Relation;
  /** What the reader sees of the related items. */
  readonly sight: Sight;
}

/** Returns the identifier of the item that a relation leads to; undefined if the item has none. */
export function relatedId(
  { field }: Pick<Relation, 'field'>,
  { values }: Pick<Item, 'values'>,
): number | string | undefined {
  const id = values[field];
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

/** Returns the related item of an item; undefined if it does not exist. */
export function relatedIn(
  { relation, items }: Pick<Expansion, 'relation' | 'items'>,
  item: Item,
): Item | undefined {
  const id = relatedId(relation, item);
  return id === undefined ? undefined : items.get(id);
}

/** The facts that show items: the name of their resource, and their properties. */
export type Listed = Pick<ItemFacts, 'name' | 'description'>;

/** The items of a resource that refer to one item of another resource, such as the orders of a customer. */
export interface RelatedList extends Listed {
  readonly title: string;
  /** The field with the identifier of the other item. */
  readonly field: string;
  /** True if an index has a partition for each value of the field, which the page of the other item shows. False: an index has its order. */
  readonly isPartition: boolean;
  /** True if the items have a list below the other item. */
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
