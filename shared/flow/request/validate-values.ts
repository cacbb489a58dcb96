import type { Fault } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import { MAXIMUM_ENTITY } from '../../resource/description/maximum-entity.ts';
import type { SchemaValidator } from '../../resource/description/validate.ts';
import { faultsOf } from '../../resource/description/values.ts';
import { type Ending, refuse } from '../ending.ts';

/** The facts about the request that validation needs beside the values. */
interface Circumstances {
  /** Bytes of the text of the values, if known. */
  readonly size?: number;
  /** The fields whose values the write keeps, so they can be absent. */
  readonly kept?: readonly string[] | undefined;
  /** The values of the item before a partial change. */
  readonly stored?: JsonObject;
  /** The faults that the reader of the content has found. Their properties are not in the values. */
  readonly faults?: readonly Fault[];
}

/** Refuses values that the service cannot store, with all faults at once. Source: Specification 2.50. */
export function validateValues(
  validate: SchemaValidator,
  values: JsonObject,
  { size = Number.POSITIVE_INFINITY, kept = [], stored, faults = [] }: Circumstances = {},
): Ending<400 | 413> | undefined {
  const absent = kept.filter((name) => !Object.hasOwn(values, name)).map((name) => formatPointer([name]));
  const known = [...absent, ...faults.map(({ pointer }) => pointer)];
  const others = faultsOf(validate, values, stored).filter(({ pointer = '' }) => !known.includes(pointer));
  const errors = [...faults, ...others];
  if (errors.length > 0)
    return refuse('validation-error', 'The body is not valid. Correct the named properties', {
      errors,
    });
  if (size > MAXIMUM_ENTITY && Buffer.byteLength(JSON.stringify(values)) > MAXIMUM_ENTITY) {
    return refuse(
      'payload-too-large',
      `An item has at most ${MAXIMUM_ENTITY} bytes. Store large values as files`,
      { members: { maximum: MAXIMUM_ENTITY } },
    );
  }
  return undefined;
}
