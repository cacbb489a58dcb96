import type { JsonObject } from '../../json/value.ts';
import type { Completion } from '../../resource/actions/completion.ts';
import type { Companion } from '../../store/items/items.ts';
import type { Partition } from '../../store/lists/pages.ts';
import type { TableReference } from '../../store/references.ts';

/** The values of an item before and after a change. undefined: the item does not exist at that time. */
export interface ItemChange {
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** The rules of a resource for bulk changes. */
export interface BulkRules {
  /** Adds the computed values of an item. */
  readonly complete?: (values: JsonObject) => Promise<Completion>;
  /** The values that the service sets on a new item. */
  readonly initial?: JsonObject;
  /** The reference that a new item must have: its table, and the field with the identifier of the existing item. */
  readonly needs?: { readonly reference: TableReference; readonly field: string };
  /** The companions of changes, in the same transaction. */
  readonly companions?: (changes: readonly ItemChange[]) => readonly Companion[];
  /** The internal count that must be zero before a removal, and the detail of the problem if it is not. */
  readonly unused?: { readonly count: string; readonly detail: string };
}

/** The items of a bulk request: those whose field has this value. undefined: all items. */
export type Scope = Partition | undefined;
