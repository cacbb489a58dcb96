import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { toAttributes } from '../form/attributes.ts';
import { constraintParts } from '../form/constraint-rows.ts';
import type { ItemChange } from './item-change.ts';
import { MAXIMUM_PARTS, MAXIMUM_TRANSACTION } from './limits.ts';

/**
 * What fits into one transaction of DynamoDB: parts and bytes. The bytes are an estimate. They do not include items that
 * a transaction only checks, so DynamoDB can still refuse it: see `OversizedWrite`.
 */

/** Bytes for the rows of constraints, and for the checkpoint of an operation. */
const RESERVED = 256 * 1024;
const MAXIMUM_BYTES = MAXIMUM_TRANSACTION - RESERVED;

/** Bytes of attributes as DynamoDB counts them, or some more. Source: Developer Guide, "Item sizes and formats". */
export const sizeOf = (attributes: Attributes): number =>
  Object.entries(attributes).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOfValue(value),
    0,
  );

function sizeOfValue(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.length;
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + sizeOf(value.M);
  return Buffer.byteLength(JSON.stringify(value));
}

/** Bytes that a change adds to its transaction: the larger item of before and after, and the kept version of a removal. */
export function bytesOfChange(resource: Resource, { before, after }: ItemChange): number {
  const bytesOf = (item: Item | undefined) => (item ? sizeOf(toAttributes(resource, item, 1)) : 0);
  const bytes = Math.max(bytesOf(before), after === before ? 0 : bytesOf(after));
  return !after && resource.history ? 2 * bytes : bytes;
}

/**
 * True if all parts of a transaction fit into it. `changes`: those of its items, in bytes. `others`: the parts that write
 * other rows, such as recorded answers.
 */
export function fits(
  all: readonly TransactWriteItem[],
  { changes, others }: { readonly changes: number; readonly others: readonly TransactWriteItem[] },
): boolean {
  const bytes = others.reduce((sum, { Put }) => sum + sizeOf(Put?.Item ?? {}), changes);
  return all.length <= MAXIMUM_PARTS && bytes <= MAXIMUM_BYTES;
}

/** Divides a list into runs that fit into one transaction each: with at most `most` elements, and at least one. */
export function portionsOf<One>(
  all: readonly One[],
  most: number,
  bytesOf: (one: One) => number,
): readonly (readonly One[])[] {
  const portions: One[][] = [];
  let bytes = 0;
  for (const one of all) {
    const size = bytesOf(one);
    const last = portions.at(-1);
    if (last && last.length < most && bytes + size <= MAXIMUM_BYTES) {
      last.push(one);
      bytes += size;
    } else {
      portions.push([one]);
      bytes = size;
    }
  }
  return portions;
}

/**
 * Returns the most items of one step of an operation. Each has a part, and those of its constraints. A removal also
 * keeps the last version, and the checkpoint has a part of its own.
 */
export function itemsPerStep(resource: Resource, kind: 'creation' | 'replacement' | 'removal'): number {
  const kept = kind === 'removal' && resource.history ? 1 : 0;
  return Math.floor((MAXIMUM_PARTS - 1) / (1 + kept + constraintParts(resource, kind === 'creation'))) || 1;
}
