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
 * Puts the members that were sent in the place of those the item has, and leaves the values to write. A change to what
 * is there already is done: version and entity tag stay.
 *
 * Source: conventions, "any other change that is neither full replacement nor partial change".
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
