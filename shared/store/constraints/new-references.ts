import type { Reference } from '../../resource/description/description.ts';
import { referencesOf } from '../../resource/description/references.ts';
import type { Resource } from '../../resource/resource.ts';
import type { ItemChange } from './change.ts';

/** A reference that a change sets. `at`: the index of the change. */
export interface NewReference {
  readonly at: number;
  readonly field: string;
  readonly to: Reference;
  readonly id: number;
}

/** An item that the caller has just read, or that the same transaction creates. It exists. `resource`: the name of its resource. */
export interface KnownItem {
  readonly resource: string;
  readonly id: number;
}

/** The references that requests set. An item may keep a reference to an item that was removed. */
export function newReferences(
  { description }: Pick<Resource, 'description'>,
  changes: readonly ItemChange[],
): NewReference[] {
  const fields = description ? referencesOf(description) : [];
  return changes.flatMap(({ before, after, wasStored }, at) =>
    fields.flatMap(({ field, to }) => {
      const id = wasStored ? undefined : after?.values[field];
      return typeof id === 'number' && id !== before?.values[field] ? [{ at, field, to, id }] : [];
    }),
  );
}

/** True if the reference names one of these items. */
export const isKnown = ({ to, id }: NewReference, known: readonly KnownItem[]): boolean =>
  known.some((one) => one.id === id && one.resource === to.resource);
