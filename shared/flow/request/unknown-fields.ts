import type { State } from '../../resource/actions/outcome.ts';
import { isServerField } from '../../resource/description/description.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Received, Selected } from '../exchange.ts';

/**
 * Refuses names in `fields` that no item has. An open resource knows a property if its description declares it or
 * an item has it. For a list, only the first page is checked. A later page may lack the property, and the walk must
 * not end there.
 */
export function unknownFields(
  { fields, resource, page }: Received & Selected,
  state: State,
): Ending<400> | undefined {
  const { description } = resource;
  if (!fields || !description?.open || (state.kind !== 'item' && state.kind !== 'list')) return undefined;
  if (state.kind === 'list' && (page.offset !== 0 || page.after || state.page.items.length === 0))
    return undefined;
  const items = state.kind === 'item' ? [state.item] : state.page.items;
  const has = (name: string) => items.some((item) => 'values' in item && Object.hasOwn(item.values, name));
  const errors = [...fields]
    .filter(
      (name) => !Object.hasOwn(description.fields, name) && !isServerField(description, name) && !has(name),
    )
    .map((name) => ({ parameter: 'fields', detail: `no item here has the property '${name}'` }));
  return errors.length > 0 ? refuse('validation-error', 'The query is not valid', { errors }) : undefined;
}
