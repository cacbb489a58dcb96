import type { JsonObject } from '../../json/value.ts';
import type { Completion } from '../../resource/completion.ts';
import type { Companion } from '../../store/items/items.ts';
import type { Partition } from '../../store/lists/pages.ts';
import type { TableReference } from '../../store/references.ts';

/** One item's values before and after; undefined: there is none. */
export interface ItemChange {
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** What is particular about the items of a resource when many are changed at once. */
export interface BulkRules {
  /** Adds the computed values of an item. */
  readonly complete?: (values: JsonObject) => Promise<Completion>;
  /** What the service sets on a new item. */
  readonly initial?: JsonObject;
  /** The neighbour that an item needs to exist when it is created, and the field that names it. */
  readonly needs?: { readonly neighbour: TableReference; readonly field: string };
  /** What goes along with changes in one transaction. */
  readonly along?: (changes: readonly ItemChange[]) => readonly Companion[];
  /** The internal count that must be zero for an item to be removed, and what is said otherwise. */
  readonly unused?: { readonly count: string; readonly detail: string };
}

/** Whose items are meant: those whose field has this value. undefined: all. */
export type Scope = Partition | undefined;
