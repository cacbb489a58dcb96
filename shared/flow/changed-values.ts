import { jsonEqual } from '../json/equal.ts';
import { emptyObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Description } from '../resource/description.ts';
import type { Item } from '../resource/item.ts';
import { foundItem } from '../resource/outcome.ts';
import type { Validator } from '../resource/validate.ts';
import { withDefaults, withRemovals } from '../resource/values.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { validateValues } from './request/validate-values.ts';

/**
 * Merges the properties in the request into those of the item, and leaves the values to write. If nothing changes,
 * the item is not written: its version and its entity tag stay.
 *
 * Source: Specification 1.7, C.62.
 */
export function changedValues(exchange: Exchange): Ending<400 | 413> | undefined {
  const { resource, state, partialValues, clearedFields = [] } = exchange;
  const { item } = state as { item: Item };
  const values = emptyObject();
  for (const source of [item.values, partialValues as JsonObject]) {
    for (const name of Object.keys(source)) values[name] = source[name] as JsonValue;
  }
  for (const name of clearedFields) delete values[name];
  const description = resource.description as Description;
  withDefaults(description, values);
  const faulty = validateValues(resource.validate as Validator, values);
  if (faulty) return faulty;
  if (jsonEqual(values, item.values)) exchange.outcome = foundItem(item);
  exchange.values = withRemovals(description, values);
  return undefined;
}
