import type { Problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Completion } from '../actions/completion.ts';
import type { SentBinary, SentItem } from '../actions/sent.ts';
import type { Description, Field, Fields } from '../description/description.ts';
import { text } from '../description/fields.ts';
import type { Item } from '../item.ts';
import { AUDIT_SCOPE, hasScope, type Reader } from './access.ts';

const AUTHOR = { server: true, maximum: 255, help: 'The subject of a token.', readableBy: AUDIT_SCOPE };

/** The authors of an item, as fields. Source: Specification 11.15. */
export const AUTHORS = {
  createdBy: text('Created by', AUTHOR),
  updatedBy: text('Last changed by', AUTHOR),
} as const satisfies Fields;

/** True if the reader sees the values of a field. Without a reader, only fields for every caller are visible. */
export const isVisible = (field: Field | undefined, reader: Reader | undefined): boolean =>
  field?.readableBy === undefined || (reader !== undefined && hasScope(reader, field.readableBy));

/** The description of an item as the reader sees it, without the fields that it does not see. */
export function visibleDescription(description: Description, reader: Reader): Description {
  const all = Object.entries(description.fields);
  const seen = all.filter(([, field]) => isVisible(field, reader));
  return seen.length === all.length ? description : { ...description, fields: Object.fromEntries(seen) };
}

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

/** True if the caller has limits in the fields of a description. The module `#field-limits` says which. */
export function isLimited(description: Description, caller: Reader): boolean {
  return Object.values(description.fields).some(
    (field) =>
      !isVisible(field, caller) || (field.writableBy !== undefined && !hasScope(caller, field.writableBy)),
  );
}

/** The scopes that a description names for reading, by description: every list and every entity tag needs them. */
const scopesForReading = new WeakMap<Description, readonly string[]>();

/** The scopes of a reader that let it see more of an item than other callers do, in a fixed order. */
export function sightOf(description: Description, reader: Reader | undefined): string[] {
  const scopes = scopesForReading.get(description) ?? [
    ...new Set(
      [...Object.values(description.fields), AUTHORS.createdBy].flatMap((one) => one.readableBy ?? []),
    ),
  ];
  scopesForReading.set(description, scopes);
  return reader ? scopes.filter((scope) => hasScope(reader, scope)) : [];
}
