import { referencesOf } from '../../shared/resource/description/references.ts';
import type { Listed, RelatedList } from '../../shared/resource/relation.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { hasForm } from '../../shared/resource/route.ts';

/** A related list, with names instead of the facts of other resources. */
interface Found extends Pick<RelatedList, 'field' | 'isPartition' | 'isBelow' | 'onDelete'> {
  readonly parent: string;
  readonly list: Resource;
}

/**
 * Returns all items that refer to an item of another resource, if an index finds them by it. The page of that item
 * shows them if they have a list below it. Items with owners have no such list.
 */
const listsIn = (registry: readonly Resource[]): Found[] =>
  registry
    .filter(({ owner, table }) => table && !owner)
    .flatMap((list) =>
      referencesIn(list).flatMap(({ parent, field, onDelete }) => {
        const path = `/${parent}/{id}/${list.name}`;
        const isListed = list.routes.some(
          ({ path: one, endpoints: { GET } }) =>
            one === path && GET?.shape === 'list' && GET.listedBy === field,
        );
        const isPartition = list.table?.partitions?.includes(field) === true;
        const isIndexed = isPartition || list.sortable.includes(field);
        const isBelow = isListed && isPartition;
        return isIndexed ? [{ parent, list, field, isPartition, isBelow, onDelete }] : [];
      }),
    );

/** The fields of a resource that refer to items of others: references, and relations to items that need not exist. */
function referencesIn({ description, relations }: Resource) {
  const references = (description ? referencesOf(description) : []).map(({ field, to }) => ({
    parent: to.resource,
    field,
    onDelete: to.onDelete,
  }));
  const others = Object.values(relations)
    .filter(({ field }) => !references.some((one) => one.field === field))
    .map(({ field, to }) => ({ parent: to.name, field, onDelete: 'keep' as const }));
  return [...references, ...others];
}

/** Returns the other relations of a list, to items that every caller with the scope may read. */
const othersOf = ({ relations }: Resource, field: string) =>
  Object.values(relations).filter((one) => one.field !== field && !one.to.owner);

/** Finds the items that refer to others, by the resource of the others. */
export function relatedOf(registry: readonly Resource[]): Readonly<Record<string, readonly RelatedList[]>> {
  const found = listsIn(registry);
  const entry = ({ list, parent: _, ...one }: Found): RelatedList => ({
    ...listedOf(list),
    title: list.title,
    ...one,
    hasForm: hasForm(list, 'new'),
    relations: (one.isPartition ? othersOf(list, one.field) : []).map((other) => ({
      field: other.field,
      to: listedOf(other.to),
    })),
  });
  const parents = [...new Set(found.map(({ parent }) => parent))];
  return Object.fromEntries(
    parents.map((parent) => [parent, found.filter((one) => one.parent === parent).map(entry)]),
  );
}

/** @throws Error if the resource has no items */
function listedOf({ name, description }: Pick<Resource, 'name' | 'description'>): Listed {
  if (!description) throw new Error(`${name} has no items`);
  return { name, description };
}
