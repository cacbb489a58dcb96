import { isServerField } from '../../resource/description.ts';
import type { State } from '../../resource/outcome.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Refuses members that `fields` names and nobody has. In an open resource a member is known when it is declared or
 * somebody has it. A list tells on its first page only: a walk must not end where nobody happens to have it.
 */
export function unknownFields({ fields, resource, page }: Exchange, state: State): Ending<400> | undefined {
  const { description } = resource;
  if (!fields || !description?.open || (state.kind !== 'item' && state.kind !== 'list')) return undefined;
  if (state.kind === 'list' && (page?.offset !== 0 || page.after || state.page.items.length === 0))
    return undefined;
  const items = state.kind === 'item' ? [state.item] : state.page.items;
  const has = (name: string) => items.some((item) => 'values' in item && Object.hasOwn(item.values, name));
  const errors = [...fields]
    .filter(
      (name) => !Object.hasOwn(description.fields, name) && !isServerField(description, name) && !has(name),
    )
    .map((name) => ({ parameter: 'fields', detail: `nothing here has a member '${name}'` }));
  return errors.length > 0 ? refuse('validation-error', 'The query is not valid', { errors }) : undefined;
}
