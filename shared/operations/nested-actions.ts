import { lazily } from '../on-demand.ts';
import type { Action, Calls } from '../resource/actions/action.ts';
import { done, missing, type Outcome } from '../resource/actions/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { CollectionActions } from '../resource/styles/collection.ts';
import type { NestedActions, NestedBulkActions } from '../resource/styles/nested.ts';
import { listingOutcome } from '../store/items/outcomes.ts';
import { exists } from '../store/items/references.ts';
import { Pages } from '../store/lists/pages.ts';
import { otherParent, type ParentFacts } from './bulk/problems.ts';
import { collectionChecks } from './collection-actions.ts';

/**
 * Returns the actions of the items below a parent, and their checks. A missing parent has precedence over every other
 * refusal. `single`: the actions of the resource as a collection. Source: Specification 1.13; docs/resources.md.
 *
 * @throws Error if the resource has no index for the list
 */
export function nestedActions(
  resource: Resource,
  single: Pick<CollectionActions, 'create' | 'replace'>,
  facts: ParentFacts,
): NestedActions & NestedBulkActions {
  const { field } = facts;
  const reads = parentReads(resource, facts);
  const singular = resource.description?.singular ?? resource.name;

  /** Calls an action of the collection for an item of this parent, which exists. */
  const below =
    (act: Action<'create'>): Action<'createBelow'> =>
    (input) => {
      const { id, values } = input;
      const named = values[field];
      if (named !== undefined && named !== id)
        return { kind: 'refused', problem: otherParent(facts, singular, id) };
      const parent = { resource: facts.table.resource, id };
      return act({ ...input, values: { ...values, [field]: id }, parent });
    };
  const createBelow = below(single.create);
  const create = async (input: Calls['createBelow']): Promise<Outcome> => {
    const found = await reads.exists(input);
    return found.kind === 'missing' ? found : createBelow(input);
  };

  const parent = { ...facts, exists: reads.exists };
  const load = () => import('./bulk/bulk-actions.ts');
  const bulk = async () =>
    (await load()).nestedBulkActions(resource, { create, replace: single.replace }, parent);
  const bulkChecks = async () => (await load()).nestedBulkChecks(resource, facts);
  // Look-up reads the parent before a check.
  const check = below(collectionChecks(resource).create);
  const checks = { create: check, ...lazily(bulkChecks, ['createAll', 'replaceAll']) };
  return { ...reads, create, ...lazily(bulk, ['createAll', 'replaceAll', 'removeAll']), checks };
}

/** Returns the actions that read the parent, which is in the path: whether it exists, and the list of its items. */
function parentReads(resource: Resource, { name, field, table }: ParentFacts) {
  if (!resource.table?.partitions?.includes(field))
    throw new Error(`The resource ${resource.name}: name '${field}' in partitions of table`);
  const pages = new Pages(resource);
  const unknown = (id: number) => missing(`There is no ${name} ${id}`);
  return {
    field,
    parents: table.resource,
    exists: async ({ id }) => ((await exists(table, id)) ? done : unknown(id)),
    list: async ({ caller, id, page }) => {
      const [listing, isKnown] = await Promise.all([
        pages.list(caller, page, { field, value: id }),
        exists(table, id),
      ]);
      return isKnown ? listingOutcome(listing) : unknown(id);
    },
  } satisfies Pick<NestedActions, 'field' | 'parents' | 'exists' | 'list'>;
}
