import { formatPointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import { MAXIMUM_ENTITY } from '../../resource/description/maximum-entity.ts';
import type { Validator } from '../../resource/description/validation/validate.ts';
import { faultsOf } from '../../resource/description/values.ts';
import { type Ending, refuse } from '../ending.ts';

/**
 * Refuses values that the service cannot store. `size`: bytes of the text of the values, if known. `kept`: fields whose
 * values the write keeps, so they can be absent.
 */
export function validateValues(
  validate: Validator,
  values: JsonObject,
  size = Number.POSITIVE_INFINITY,
  kept: readonly string[] = [],
): Ending<400 | 413> | undefined {
  const absent = kept.filter((name) => !Object.hasOwn(values, name)).map((name) => formatPointer([name]));
  const errors = faultsOf(validate, values).filter(({ pointer = '' }) => !absent.includes(pointer));
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
