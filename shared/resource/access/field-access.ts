import type { Problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Completion } from '../actions/outcome.ts';
import type { Item } from '../item.ts';
import type { SentBinary, SentItem } from '../sent.ts';

/** The values and the binary properties that a request sends. */
export interface SentValues {
  readonly values: JsonObject;
  readonly binaries?: readonly SentBinary[] | undefined;
}

/** The present values and binary properties of an item. */
export type Present = Pick<Item, 'values' | 'binaries'>;

/** The fields that a caller cannot see or set in the items of a resource. The lists contain the names of fields. */
export interface FieldLimits {
  readonly unseen: readonly string[];
  readonly unsettable: readonly string[];
  /** The fields of both lists that clients set. A PUT that leaves them out keeps their values. */
  readonly kept: readonly string[];
  /** The names in `kept` that an item lacks. A change of the item gives them no default, and they may stay absent. */
  lackedBy(item: Present): string[];
  /** The refusal of a new item that sets a field, or lacks a required one, that the caller cannot set. */
  refusedCreation(sent: SentValues): Problem<'forbidden'> | undefined;
  /** The refusal of a list if some of its elements are refused in that way. */
  refusedElements(elements: readonly SentItem[]): Problem<'forbidden'> | undefined;
  /**
   * The refusal of a change in a field that the caller cannot set. `after`: the values of the item after it. `sent`: the
   * names of the fields in the request. If the caller cannot see the field either, the request must not name it.
   */
  refusedChange(
    before: Present,
    after: SentValues,
    sent: readonly string[],
  ): Problem<'forbidden'> | undefined;
  /** The values of a PUT with those that it keeps; refused if it changes a field that the caller cannot set. */
  completed(before: Present, sent: SentValues): Completion;
}
