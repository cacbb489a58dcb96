import type { Action, InputWith } from '../resource/actions/action.ts';
import { done, missing } from '../resource/actions/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { CollectionActions } from '../resource/styles/collection.ts';
import type { NestedActions, NestedBulkActions } from '../resource/styles/nested.ts';
import { listingOutcome } from '../store/item-actions.ts';
import { Pages } from '../store/lists/pages.ts';
import { exists } from '../store/references.ts';
import { otherParent } from './bulk/element-problems.ts';
import { nestedBulkActions } from './bulk/on-demand.ts';
import type { BulkRules, ParentFacts } from './bulk/rules.ts';

/**
 * The actions that ask for the parent, which is in the path: whether it exists, and the list of its items.
 * @throws Error if the resource has no index for the list
 */
export function parentActions(resource: Resource, { name, field, table }: ParentFacts) {
  if (!resource.table?.partitions?.includes(field))
    throw new Error(`functions/${resource.name}/resource.ts: name '${field}' in partitions of table`);
  const pages = new Pages(resource);
  const unknown = (id: number) => missing(`There is no ${name} ${id}`);
  return {
    field,
    exists: async ({ id }) => ((await exists(table, id)) ? done : unknown(id)),
    list: async ({ id, page }) => {
      const [listing, isKnown] = await Promise.all([
        pages.list(page, { field, value: id }),
        exists(table, id),
      ]);
      return isKnown ? listingOutcome(listing) : unknown(id);
    },
  } satisfies Pick<NestedActions, 'field' | 'exists' | 'list'>;
}

/**
 * The actions of the items below a parent. A missing parent has precedence over every other refusal.
 * `single`: the actions of the resource as a collection. Source: Specification 1.13; docs/resources.md.
 *
 * @public
 */
export function nestedActions(
  resource: Resource,
  single: Pick<CollectionActions, 'create' | 'replace'>,
  facts: ParentFacts,
  rules: BulkRules = {},
): NestedActions & NestedBulkActions {
  const { field } = facts;
  const reads = parentActions(resource, facts);
  const singular = resource.description?.singular ?? resource.name;
  const create: Action<'id'> = async (input: InputWith<'id'>) => {
    const { id, values = {} } = input;
    const found = await reads.exists(input);
    if (found.kind === 'missing') return found;
    const named = values[field];
    if (named !== undefined && named !== id)
      return { kind: 'refused', problem: otherParent(facts, singular, id) };
    return single.create({ ...input, values: { ...values, [field]: id } });
  };
  const parent = { ...facts, exists: reads.exists };
  const several = nestedBulkActions(resource, { create, replace: single.replace }, rules, parent);
  return { ...reads, create, ...several };
}
