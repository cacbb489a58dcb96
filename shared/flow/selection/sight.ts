import { sightOf } from '../../resource/access/field-access.ts';
import type { View } from '../exchange.ts';

/** The scopes with which the caller sees more of the item, or of the related items in it, than other callers do. */
export function sightIn({ request, resource, expansions = [] }: View): string[] {
  const shown = [resource.description, ...expansions.map(({ relation }) => relation.to.description)];
  return [...new Set(shown.flatMap((one) => (one ? sightOf(one, request) : [])))];
}
