import type { Resource } from '../resource/resource.ts';
import { constraintChecks } from '../store/constraints/checks.ts';
import { itemActions } from '../store/item-actions.ts';
import { bulkActions, bulkChecks } from './bulk/on-demand.ts';
import type { BulkRules } from './bulk/rules.ts';

/**
 * The actions of a collection: single items and bulk requests. A resource overrides those that differ.
 */
export function collectionActions(resource: Resource, rules: BulkRules = {}) {
  const single = itemActions(resource);
  return { ...single, ...bulkActions(resource, single, rules) };
}

/** Finds the present refusals of these actions. The service calls it before it accepts an operation. */
export const collectionChecks = (resource: Resource, rules: BulkRules = {}) => ({
  ...constraintChecks(resource),
  ...bulkChecks(resource, rules),
});
