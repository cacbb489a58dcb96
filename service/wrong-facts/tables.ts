import { attributeOf, hasOtherForms } from '../../shared/resource/description/attribute.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { MAXIMUM_INDEXES, tableOf } from '../../shared/store/items/table.ts';

/** Why a resource cannot have its table, one sentence each; empty if it can. */
export function wrongTable(resource: Resource): string[] {
  const { name, description, table, owner } = resource;
  if (!table || !description) return [];
  const count = tableOf(resource).indexes.length;
  return [
    ...(table.partitions ?? [])
      .filter(
        (field) => attributeOf(description, field) !== field || hasOtherForms(description.fields[field]),
      )
      .map((field) => `${field} partitions lists of ${name}, so its stored form cannot change`),
    // A client that chooses an identifier would learn that another owner has the item.
    ...(owner && (description.identifier.kind === 'text' || table.partitions || table.whole === false)
      ? [`${name} has owners, so it needs integer identifiers and no other lists`]
      : []),
    ...(count > MAXIMUM_INDEXES
      ? [
          `${name} needs ${count} indexes, and a table has at most ${MAXIMUM_INDEXES}: each list has one by ` +
            'identifier, and one for each sortable field. Make fewer fields sortable',
        ]
      : []),
  ];
}
