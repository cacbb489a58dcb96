import type { Description, Fields } from '../../resource/description/description.ts';
import { referencesOf, relatedName } from '../../resource/description/references.ts';
import type { Item } from '../../resource/item.ts';
import type { LinkFact } from '../../resource/link.ts';
import type { Relation } from '../../resource/relation.ts';
import { readItems } from './read-items.ts';

/** The facts of a resource that follow from its references. */
interface ByReferences<Name extends string> {
  readonly relations: Readonly<Record<string, Relation<Name>>>;
  readonly links: (item: Item) => readonly LinkFact[];
}

/**
 * The facts that follow from the references of a resource. The field `customerId` gives the relation `customer` and a
 * link to the customer. A reference without the facts of the other items gives the link alone.
 */
export function byReferences<Declared extends Fields>(
  description: Pick<Description<Declared>, 'fields'>,
): ByReferences<keyof Declared & string> {
  const named = referencesOf(description).flatMap(({ field, to }) => {
    const name = relatedName(field);
    return name === undefined ? [] : [{ name, field, to }];
  });
  return {
    relations: Object.fromEntries(
      named.flatMap(({ name, field, to: { facts } }) =>
        facts ? [[name, { to: facts, field, kind: 'one', read: readItems }]] : [],
      ),
    ),
    links: ({ values }) =>
      named.flatMap(({ name: rel, field, to }) => {
        const id = values[field];
        return typeof id === 'number' ? [{ rel, href: `/${to.resource}/${id}` }] : [];
      }),
  };
}
