import type { JsonObject } from '../../json/value.ts';
import type { Completion } from '../../resource/actions/completion.ts';
import type { TableReference } from '../../store/references.ts';

/** The rules of a resource for the values of its items. Each request that writes an item applies them. */
export interface ItemRules {
  /** Adds values to those of the request, or refuses them. */
  readonly complete?: (values: JsonObject) => Promise<Completion>;
}

/** The parent of nested items. `name`: one parent, such as `customer`. `field`: holds its identifier. */
export interface ParentFacts {
  readonly name: string;
  readonly field: string;
  readonly table: TableReference;
}

/** The parent of the items of a bulk request, whose identifier is `value`. undefined: all items of the resource. */
export type Within = (Pick<ParentFacts, 'name' | 'field'> & { readonly value: number }) | undefined;
