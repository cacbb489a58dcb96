import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Ownership } from '../../resource/access/owner.ts';
import { type Condition, compare } from '../write/expression.ts';
import { OWNER, type Partition } from './table.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;

/** The resource of some items, as far as it decides whether they have owners. */
export interface Owned {
  readonly name: string;
  readonly owner?: Ownership | undefined;
}

/**
 * Returns the attribute of a new item with its owner, if the items have owners.
 * @throws Error if the item has none: a defect, because all callers would see it
 */
export function ownerAttribute({ name }: Owned, own: string | undefined): Attributes {
  if (own === undefined) throw new Error(`Items of ${name} have owners: a new one needs an owner`);
  return { [OWNER]: { S: own } };
}

/** True if the caller may see the item with these attributes. `owner`: as `ownerOf` names it for the caller. */
export const isVisible = (row: Attributes, owner: string | undefined): boolean =>
  owner === undefined || row[OWNER]?.S === owner;

/** Returns the conditions of a write: the item belongs to the owner. None for a caller who may see all items. */
export const ownerConditions = (owner: string | undefined): readonly Condition[] =>
  owner === undefined ? [] : [compare(OWNER, '=', { S: owner })];

/** The failure of a write without an item that the caller may not see: for this caller, the item does not exist. */
export const visibleFailure = <Failed extends { readonly Item?: Attributes }>(
  failure: Failed,
  owner: string | undefined,
): Pick<Failed, 'Item'> => (failure.Item && isVisible(failure.Item, owner) ? failure : {});

/** Returns the list of the items of an owner; undefined for a caller who may see all items. */
export const ownerPartition = (owner: string | undefined): Partition | undefined =>
  owner === undefined ? undefined : { field: OWNER, value: owner };
