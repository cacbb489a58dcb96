import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Description } from './description.ts';
import type { Field } from './fields.ts';

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

/** Sets the computed values of an item. */
export function withComputed({ fields }: Description, values: JsonObject): JsonObject {
  for (const [name, field] of Object.entries(fields)) {
    if (!field.computed) continue;
    const value = field.computed(values);
    if (value === undefined) delete values[name];
    else values[name] = value;
  }
  return values;
}
