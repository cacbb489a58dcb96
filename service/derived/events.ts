import type { EventSource } from '../../shared/events/webhooks/matching.ts';
import { scopeOf } from '../../shared/resource/access/access.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** Finds the resources whose events subscriptions can select, by the word for an item. A caller sees its own operations. */
export const eventSourcesOf = (registry: readonly Resource[]): Readonly<Record<string, EventSource>> =>
  Object.fromEntries(
    registry.flatMap(({ name, table, description, tracked }): [string, EventSource][] => {
      if (!table || !description || name === 'subscriptions') return [];
      const scope = scopeOf(name, tracked && 'authenticated', 'GET');
      return [[description.singular, { collection: name, ...(scope === undefined ? {} : { scope }) }]];
    }),
  );
