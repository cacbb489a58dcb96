import type { Fault } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { SchemaValidator } from '../../resource/description/validate.ts';
import { faultsOf, isTooLarge, tooLargeEntity } from '../../resource/description/values.ts';
import { type Ending, end, refuse } from '../ending.ts';

/** The facts about the request that validation needs beside the values. */
interface Circumstances {
  /** The fields whose values the write keeps, so they can be absent. */
  readonly kept?: readonly string[] | undefined;
  /** The values of the item before a partial change. */
  readonly stored?: JsonObject;
  /** The faults that the reader of the content has found. Their properties are not in the values. */
  readonly faults?: readonly Fault[];
}

/** Refuses values that the rules of the fields forbid, with all faults at once. Source: Specification 2.50. */
export function validateValues(
  validate: SchemaValidator,
  values: JsonObject,
  { kept = [], stored, faults = [] }: Circumstances = {},
): Ending<400> | undefined {
  const absent = kept.filter((name) => !Object.hasOwn(values, name)).map((name) => formatPointer([name]));
  const known = [...absent, ...faults.map(({ pointer }) => pointer)];
  const others = faultsOf(validate, values, stored).filter(({ pointer = '' }) => !known.includes(pointer));
  const errors = [...faults, ...others];
  return errors.length > 0
    ? refuse('validation-error', 'The body is not valid. Correct the named properties', { errors })
    : undefined;
}

/** Refuses values that are too long for an item, with their defaults. Source: Specification 10.10. */
export const refuseTooLarge = (values: JsonObject): Ending<413> | undefined =>
  isTooLarge(values) ? end(tooLargeEntity()) : undefined;
