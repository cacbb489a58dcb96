import { RELEASED, type Released, type Stored } from '../../infra/stored.ts';
import { attributeOf, earlierFormOf, isUnique } from '../../shared/resource/description/attribute.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { tableOf } from '../../shared/store/items/table.ts';

/**
 * The contents of the tables after the release of these definitions. The operators change `indexes`, `sortable`,
 * `unique`, `schema` and `shards` of a deployed table, because only they know how far its deployment and its backfill
 * are. A value that is no longer unique leaves `unique`: releases without the fact do not write its rows.
 */
export function releasedStored(registry: readonly Resource[], before: Released = RELEASED): Released {
  const entries = registry.flatMap((resource) => {
    const { name, table, description, sortable } = resource;
    if (!table || !description) return [];
    const schema = before[name]?.schema ?? description.version;
    // An attribute without a field stays: its values are in the tables.
    const fields: Record<string, Stored['fields'][string]> = { ...before[name]?.fields };
    for (const [field, declared] of Object.entries(description.fields)) {
      const attribute = attributeOf(description, field);
      if (schema >= (earlierFormOf(declared)?.before ?? 0)) fields[attribute] = declared.kind;
    }
    const declaredUnique = Object.entries(description.fields).flatMap(([field, declared]) =>
      isUnique(declared) ? [attributeOf(description, field)] : [],
    );
    const complete = before[name] ? (before[name].unique ?? []) : declaredUnique;
    const unique = declaredUnique.filter((attribute) => complete.includes(attribute));
    const shards = before[name] ? before[name].shards : table.shards;
    const released: Stored = {
      schema,
      fields,
      indexes: before[name]?.indexes ?? tableOf(resource).indexes.map((one) => one.name),
      sortable: before[name]?.sortable ?? sortable.map((field) => attributeOf(description, field)),
      ...(unique.length === 0 ? {} : { unique }),
      ...(shards === undefined ? {} : { shards }),
    };
    return [[name, released] as const];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of docs/stored.released.json. */
export const releasedStoredSource = (registry: readonly Resource[]): string =>
  `${JSON.stringify(releasedStored(registry), undefined, 2)}\n`;
