import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Ownership } from '../../resource/access/owner.ts';
import type { Resource } from '../../resource/resource.ts';
import { type Condition, compare } from '../write/expression.ts';
import { OWNER, type Partition } from './table.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;

/** The resource of some items, as far as it decides whether they have owners. */
export interface Owned {
  readonly name: string;
  readonly owner?: Ownership | undefined;
}

/**
 * The owner that a read or a write must name.
 * @throws Error if the items have owners and the caller of the store names none: a defect that would show all items
 */
function named({ name }: Owned, whose: string | undefined): string {
  if (whose === undefined) throw new Error(`Items of ${name} have owners: name the owner`);
  return whose;
}

/** The attribute of a new item with its owner. @throws Error as `named` */
export const ownerAttribute = (resource: Owned, whose: string | undefined): Attributes =>
  resource.owner ? { [OWNER]: { S: named(resource, whose) } } : {};

/** True if the caller may see the item with these attributes. @throws Error as `named` */
export const isVisible = (resource: Owned, row: Attributes, whose: string | undefined): boolean =>
  resource.owner === undefined || row[OWNER]?.S === named(resource, whose);

/** The conditions of a write: the item belongs to the owner. None if the items have no owners. @throws Error as `named` */
export const ownerConditions = (resource: Owned, whose: string | undefined): readonly Condition[] =>
  resource.owner ? [compare(OWNER, '=', { S: named(resource, whose) })] : [];

/** The failure of a write without an item that the caller may not see: for this caller, the item does not exist. */
export const visibleFailure = <Failed extends { readonly Item?: Attributes }>(
  resource: Owned,
  failure: Failed,
  whose: string | undefined,
): Pick<Failed, 'Item'> => (failure.Item && isVisible(resource, failure.Item, whose) ? failure : {});

/** The list of the items of an owner; undefined if the items have no owners. @throws Error as `named` */
export const ownerPartition = (resource: Owned, whose: string | undefined): Partition | undefined =>
  resource.owner ? { field: OWNER, value: named(resource, whose) } : undefined;

/** The same resource for work of the service itself, which may see the items of all owners. */
export const ofAllOwners = (resource: Resource): Resource => ({ ...resource, owner: undefined });
