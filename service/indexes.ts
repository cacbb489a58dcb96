import type { Resource } from '../shared/resource/resource.ts';
import { MAXIMUM_INDEXES, tableOf } from '../shared/store/items/table.ts';

/** The fault of a resource whose table needs more indexes than DynamoDB gives it; empty if there is none. */
export function wrongIndexes(resource: Resource): string[] {
  if (!resource.table || !resource.description) return [];
  const count = tableOf(resource).indexes.length;
  if (count <= MAXIMUM_INDEXES) return [];
  return [
    `${resource.name} needs ${count} indexes, and a table has at most ${MAXIMUM_INDEXES}: each list has one by ` +
      'identifier, and one for each sortable field. Make fewer fields sortable',
  ];
}
