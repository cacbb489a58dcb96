import type { Listed, RelatedList } from '../../shared/resource/related.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { hasForms } from '../../shared/resource/route.ts';

/** A related list, with names in place of the facts of other resources. */
interface Found {
  readonly parent: string;
  readonly list: Resource;
  readonly field: string;
}

/**
 * Every list below an item of another resource: its items have a relation to that item, and an index has a partition
 * for each value of the field. Items with owners have no such list.
 */
const listsIn = (registry: readonly Resource[]): Found[] =>
  registry.flatMap((list) =>
    Object.values(list.relations).flatMap(({ to, field, kind }) => {
      const path = `/${to.name}/{id}/${list.name}`;
      const isListed = list.routes.some(
        ({ path: one, endpoints: { GET } }) =>
          one === path && GET?.shape === 'list' && GET.listedBy === field,
      );
      const isIndexed = list.table?.partitions?.includes(field) === true;
      return kind === 'one' && isListed && isIndexed && !list.owner ? [{ parent: to.name, list, field }] : [];
    }),
  );

/** The other relations of a list, to items that every caller with the scope may read. */
const othersOf = ({ list, field }: Found) =>
  Object.values(list.relations).filter((one) => one.field !== field && !one.to.owner);

/** Finds the related lists on the pages of items, by the resource of the item. */
export function relatedOf(registry: readonly Resource[]): Readonly<Record<string, readonly RelatedList[]>> {
  const found = listsIn(registry);
  const entry = ({ list, field, ...one }: Found): RelatedList => ({
    ...listedOf(list),
    title: list.title,
    field,
    hasForm: hasForms(list),
    relations: othersOf({ list, field, ...one }).map((other) => ({
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
