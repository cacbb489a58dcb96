import type { IntegerField, ItemFacts, Reference } from '../../shared/resource/description/description.ts';
import { integer } from '../../shared/resource/description/fields.ts';
import { reference as referenceField } from '../../shared/resource/description/references.ts';
import type { Definition } from '../definition.ts';
import { type Declared, declare, type FieldFacts, ofDescription, type StoredForms } from './declared.ts';

/** The facts of a reference. */
interface ReferenceFacts<Given extends boolean, Server extends boolean>
  extends FieldFacts<Given, Server>,
    StoredForms {
  /** The example in the API description. */
  readonly example?: number;
  /** True: no two items refer to the same item. */
  readonly unique?: boolean;
  /**
   * What the service does if a client removes an item to which others refer. `keep` (default): the others keep its
   * identifier. `clear`: it removes the references. `restrict`: it refuses the removal.
   */
  readonly onDelete?: Reference['onDelete'];
  /** Of a reference by name: the name of the identifier of the other items, if it is not `id`. */
  readonly key?: string;
  /** False: the service stores an identifier without an item too. */
  readonly mustExist?: boolean;
  /** The name of the relation in links and `expand`. Without it, `customer` for the field `customerId`. */
  readonly as?: string;
  /** `many`: `expand` shows a list with the item, or with its identifier if the item is gone. */
  readonly kind?: 'one' | 'many';
  /** `item` (default): links lead to the related item. `below`: they lead to a path below the item with the reference. */
  readonly linked?: 'item' | 'below';
}

/**
 * Returns the identifier of an item of another resource. The item must exist when a request sets it. The related item
 * has a link, a name on pages, a filter, and `expand`.
 *
 * `to`: the definition of the other resource, or its name, if its file imports the file of this one. A name gives no
 * `expand` and no name on pages.
 */
export function reference<const Given extends boolean = false, const Server extends boolean = false>(
  to: Definition | string,
  facts: ReferenceFacts<Given, Server> = {},
): Declared<number, Given, Server> {
  const { onDelete, key, mustExist = true, as, kind = 'one', linked = 'item', ...rest } = facts;
  const target = typeof to === 'string' ? to : factsOf(to);
  const make = (label: string): IntegerField =>
    mustExist
      ? referenceField(target, {
          label,
          ...ofDescription(rest),
          ...(onDelete === undefined ? {} : { onDelete }),
          ...(key === undefined ? {} : { key }),
        })
      : integer(label, { isId: true, ...ofDescription(rest) });
  if (typeof target === 'string') return declare(rest, make);
  const name = as === undefined ? {} : { name: as };
  return declare(rest, make, { relation: { to: target, kind, linked, ...name } });
}

/** Returns the facts that make the representation of the items of a resource. */
const factsOf = ({ name, description, revision, links, sortable, owner }: Definition): ItemFacts => ({
  name,
  description,
  revision,
  links,
  sortable,
  ...(owner === undefined ? {} : { owner }),
});
