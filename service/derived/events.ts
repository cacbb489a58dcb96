import type { EventSource } from '../../shared/events/webhooks/matching.ts';
import { scopeOf } from '../../shared/resource/access/access.ts';
import { choicesOf } from '../../shared/resource/description/field-types.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** Finds the resources whose events subscriptions can select. A caller sees its own operations. */
export const eventSourcesOf = (registry: readonly Resource[]): readonly EventSource[] =>
  registry.flatMap(({ name, table, description, tracked, events }): EventSource[] => {
    if (!table || !description || name === 'subscriptions') return [];
    const scope = scopeOf(name, tracked && 'authenticated', 'GET');
    const known = wordsOf(events, description);
    const types = [...new Set(['*', ...(known ?? [])])].map((word) => `${description.singular}.${word}`);
    return [
      {
        collection: name,
        types,
        ...(known ? {} : { isOpen: true }),
        ...(scope === undefined ? {} : { scope }),
      },
    ];
  });

/**
 * Returns the last words of the types of events: `paid` in `order.paid`. Undefined: any, because the state has no choices.
 */
function wordsOf(
  events: Resource['events'],
  { fields }: NonNullable<Resource['description']>,
): readonly string[] | undefined {
  if (events?.finals) return events.finals.map((one) => one.toLowerCase());
  const field = events && fields[events.field];
  const states = field?.kind === 'text' ? choicesOf(field) : [];
  return states && ['created', 'changed', 'removed', ...states.map((one) => one.toLowerCase())];
}
