import type { JsonObject } from '../../json/value.ts';
import type { Completion } from '../../resource/actions/completion.ts';
import type { TableReference } from '../../store/references.ts';

/** The rules of a resource for bulk changes. */
export interface BulkRules {
  /** Adds the computed values of an item. */
  readonly complete?: (values: JsonObject) => Promise<Completion>;
  /** The reference that a new item must have: its table, and the field with the identifier of the existing item. */
  readonly needs?: { readonly reference: TableReference; readonly field: string };
}

/** The parent of nested items. `name`: one parent, such as `customer`. `field`: holds its identifier. */
export interface ParentFacts {
  readonly name: string;
  readonly field: string;
  readonly table: TableReference;
}

/** The parent of the items of a bulk request, whose identifier is `value`. undefined: all items of the resource. */
export type Within = (Pick<ParentFacts, 'name' | 'field'> & { readonly value: number }) | undefined;
