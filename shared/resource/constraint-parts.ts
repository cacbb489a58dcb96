import { isUnique } from './description/attribute.ts';
import { referenceOf } from './description/references.ts';
import type { Resource } from './resource.ts';

/**
 * The most parts that the constraints of an item can add to its transaction. A transaction of DynamoDB has 100 parts.
 * The item has one, and so does the checkpoint of an operation. Source: Amazon DynamoDB API Reference,
 * TransactWriteItems.
 */
export const MOST_CONSTRAINT_PARTS = 98;

/** The parts that one change of an item can add to its transaction. */
export const constraintParts = ({
  description,
  referredBy,
}: Pick<Resource, 'description' | 'referredBy'>): number =>
  Object.values(description?.fields ?? {}).reduce(
    // A change releases the old value of a field and takes the new one. It checks a reference, and notes it.
    (sum, field) => sum + (isUnique(field) ? 2 : 0) + (referenceOf(field) ? 2 : 0),
    referredBy.length,
  );
