import type { Resource } from '../../../shared/resource/resource.ts';
import { tableOf } from '../../../shared/store/items/table.ts';

/** How many tables and indexes a resource has: `maximumReads` and `maximumWrites` hold for each of them. */
export const cappedOf = (resource: Resource): number =>
  resource.table ? 1 + tableOf(resource).indexes.length : 0;

/** The same of the whole stack: the table of kept answers has no index. */
export const cappedInAll = (registry: readonly Resource[]): number =>
  registry.reduce((sum, resource) => sum + cappedOf(resource), 1);
