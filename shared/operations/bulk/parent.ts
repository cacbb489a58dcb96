import type { TableReference } from '../../store/references.ts';

/** The parent of nested items. `name`: one parent, such as `customer`. `field`: holds its identifier. */
export interface ParentFacts {
  readonly name: string;
  readonly field: string;
  readonly table: TableReference;
}

/** The parent of the items of a bulk request, whose identifier is `value`. undefined: all items of the resource. */
export type Within = (Pick<ParentFacts, 'name' | 'field'> & { readonly value: number }) | undefined;
