import { MAXIMUM_BINARIES } from '../../shared/resource/binary.ts';
import { attributeOf, hasOtherForms } from '../../shared/resource/description/attribute.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { text } from '../../shared/store/form/attributes.ts';
import { MAXIMUM_INDEXES, sortAttributes, tableOf } from '../../shared/store/form/table.ts';
import { updateExpression } from '../../shared/store/write/expression.ts';
import { MAXIMUM_EXPRESSION, MAXIMUM_UNSEEN } from '../../shared/store/write/limits.ts';
import { sentences } from './fields.ts';

/** Returns why a resource cannot have its table, one sentence each; empty if it can. */
export function wrongTable(resource: Resource): string[] {
  const { name, description, table, owner } = resource;
  if (!table || !description) return [];
  const count = tableOf(resource).indexes.length;
  return sentences([
    ...(table.partitions ?? [])
      .filter(
        (field) => attributeOf(description, field) !== field || hasOtherForms(description.fields[field]),
      )
      .map((field) => `${field} partitions lists of ${name}, so its stored form cannot change`),
    // A client that chooses an identifier would learn that another owner has the item.
    owner &&
      (description.identifier.kind === 'text' || table.partitions || table.whole === false) &&
      `${name} has owners, so it needs integer identifiers and no other lists`,
    count > MAXIMUM_INDEXES &&
      `${name} needs ${count} indexes, and a table has at most ${MAXIMUM_INDEXES}: each list has one by ` +
        'identifier, and one for each sortable field. Make fewer fields sortable',
    longestUpdate(resource) > MAXIMUM_EXPRESSION &&
      `${name} has more fields than one write can set: put some of them into a structure`,
  ]);
}

/** Attributes of the service that an update may set, also `_open`. */
const OF_SERVICE = 8;

/** Bytes of the expression that replaces all values and as many bytes of an item as one request can. */
function longestUpdate(resource: Resource): number {
  const { fields = {}, open } = resource.description ?? {};
  const several = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => prefix + at);
  const names = [
    ...Object.keys(fields),
    ...[...sortAttributes(resource)].map(([, attribute]) => attribute),
    ...several(OF_SERVICE, '_'),
    ...several(open ? MAXIMUM_BINARIES : 0, '_bytes_'),
  ];
  return updateExpression({
    set: Object.fromEntries(names.map((name) => [name, text(name)])),
    remove: several(open ? MAXIMUM_UNSEEN : 0, '_unseen_'),
  }).UpdateExpression.length;
}
