import { sightOf } from '../../resource/access/field-access.ts';
import type { View } from '../exchange.ts';

/** The sight of the caller: the scopes of the visible fields that other callers do not see, also of related items. */
export function sightIn({ request, resource, expansions = [] }: View): string[] {
  const shown = [resource.description, ...expansions.map(({ relation }) => relation.to.description)];
  return [...new Set(shown.flatMap((one) => (one ? sightOf(one, request) : [])))];
}
