import { isUnique } from './description/attribute.ts';
import { referenceOf } from './description/references.ts';
import type { Resource } from './resource.ts';

/** The parts that one change of an item can add to its transaction. `isNew`: the change creates the item. */
export const constraintParts = (
  { description, referredBy }: Pick<Resource, 'description' | 'referredBy'>,
  isNew = false,
): number =>
  Object.values(description?.fields ?? {}).reduce((sum, field) => {
    const to = referenceOf(field);
    // A change releases the old value of a field and takes the new one. It checks a reference. `restrict` also notes it.
    const ofReference = to?.onDelete === 'restrict' ? 2 : to && !isNew ? 1 : 0;
    return sum + (isUnique(field) ? (isNew ? 1 : 2) : 0) + ofReference;
  }, referredBy.length);
