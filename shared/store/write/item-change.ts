import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Problem } from '../../http/problem.ts';
import type { Reference } from '../../resource/description/description.ts';
import { referencesOf } from '../../resource/description/references.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';

/** A change of one item. A new item has no `before`, and a removed one has no `after`. */
export interface ItemChange {
  readonly before?: Item;
  readonly after?: Item;
  /** The last version of a removed item, if `after` exists again. It holds no unique value, and keeps no item. */
  readonly last?: Item;
  /** No request sets the values now: `after` was stored before, here or elsewhere, or the service clears a reference. */
  readonly wasStored?: true;
  /** An undo takes changes back: fields that a state locks get their former values with the former state. */
  readonly isUndo?: true;
}

/**
 * The additions of the constraints of a resource to the transaction of some changes. `parts`: they belong into the
 * transaction of the changes without refusal. If the condition of a part fails, another writer was faster. `refusals`:
 * the problems of the refused changes, by the index of the change.
 */
export interface ConstraintResult {
  readonly parts: readonly TransactWriteItem[];
  readonly refusals: ReadonlyMap<number, Problem>;
}

/** A reference that a change sets. `at`: the index of the change. */
export interface NewReference {
  readonly at: number;
  readonly field: string;
  readonly to: Reference;
  readonly id: number;
}

/**
 * An item that the caller has just read, or that the same transaction creates. It exists. `resource`: the name of its
 * resource.
 */
export interface KnownItem {
  readonly resource: string;
  readonly id: number;
}

/** Returns the references that requests set. An item may keep a reference to an item that was removed. */
export function newReferences(
  { description }: Pick<Resource, 'description'>,
  changes: readonly ItemChange[],
): NewReference[] {
  const fields = description ? referencesOf(description) : [];
  return changes.flatMap(({ before, after, last, wasStored }, at) =>
    fields.flatMap(({ field, to }) => {
      const id = wasStored ? undefined : after?.values[field];
      const held = before ?? (to.onDelete === 'restrict' ? undefined : last);
      return typeof id === 'number' && id !== held?.values[field] ? [{ at, field, to, id }] : [];
    }),
  );
}

/** True if the reference names one of these items. */
export const isKnown = ({ to, id }: NewReference, known: readonly KnownItem[]): boolean =>
  known.some((one) => one.id === id && one.resource === to.resource);
