import { emptyObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Description, Field } from './description.ts';
import { planOf } from './plan.ts';

/**
 * A field whose value the service computes at each write from the values that clients set. Clients cannot set it. Lists
 * can sort and filter by it. Items of an earlier release get it at their next write.
 *
 * @param of gets the values in their stored form: decimals as `Decimal`. It returns undefined for no value.
 */
export const computed = <Kind extends Field>(
  field: Kind,
  of: (values: JsonObject) => JsonValue | undefined,
): Kind => ({ ...field, server: true, computed: of });

/** True if items have computed values. */
export const hasComputed = (description: Description): boolean => planOf(description).computed.length > 0;

/** The values of an item with its computed values. The store calls it at each write. */
export function withComputed(description: Description, values: JsonObject): JsonObject {
  const { computed: all } = planOf(description);
  if (all.length === 0) return values;
  const whole = Object.assign(emptyObject(), values);
  for (const [name, of] of all) {
    const value = of(whole);
    if (value === undefined) delete whole[name];
    else whole[name] = value;
  }
  return whole;
}
