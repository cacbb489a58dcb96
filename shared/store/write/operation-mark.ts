import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes } from '../form/attribute-value.ts';
import { authorAttribute, authorOf } from '../form/attributes.ts';

/** The operation that made a version or a removal. `isUndo`: it is one of `POST /changes/undo`. */
export interface OperationMark {
  readonly operation: number;
  readonly isUndo: boolean;
}

/**
 * The operation whose work runs. Each write of an item then names it, and so does the kept version of a removal. Writes
 * outside of operations store nothing for this.
 */
export const operationAtWork = new AsyncLocalStorage<OperationMark>();

/**
 * The attributes that name the operation, with the time of the change as those of authors. A later change leaves them, and
 * its other time shows that they are not its own.
 */
const [OPERATION, UNDO] = ['_operation', '_undo'] as const;

/** Returns the attributes for a write at this time, in ms since the epoch. Outside of an operation there are none. */
export function markAttributes(time: number): Attributes {
  const mark = operationAtWork.getStore();
  return mark ? { [mark.isUndo ? UNDO : OPERATION]: authorAttribute(String(mark.operation), time) } : {};
}

/** Returns the mark of a change at this time; undefined: no operation made the change. */
export function markIn(attributes: Attributes, time: number): OperationMark | undefined {
  const at = { N: String(time) };
  const undo = authorOf(attributes[UNDO], at);
  const operation = undo ?? authorOf(attributes[OPERATION], at);
  return operation === undefined ? undefined : { operation: Number(operation), isUndo: undo !== undefined };
}
