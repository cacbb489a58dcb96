import type { Resource } from '../resource/resource.ts';
import { stored } from '../store/item-actions.ts';
import { bulked } from './bulk/on-demand.ts';
import type { BulkRules } from './bulk/rules.ts';
import { deferrable } from './deferrable.ts';

/** The actions of a collection: on one item, on many at once, and later. A resource overrides what is different with it. */
export function managed(resource: Resource, rules: BulkRules = {}) {
  const single = stored(resource);
  return { ...single, ...bulked(resource, single, rules), ...deferrable };
}
