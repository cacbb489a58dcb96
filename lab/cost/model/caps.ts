import type { Resource } from '../../../shared/resource/resource.ts';
import { needsLog } from '../../../shared/store/form/log-table.ts';
import { tableOf } from '../../../shared/store/form/table.ts';
import { versionIndexes } from '../../../shared/store/history/versions-table.ts';

/** The number of tables and indexes of a resource. `maximumReads` and `maximumWrites` limit each of them. */
export const cappedOf = (resource: Resource): number =>
  resource.table ? 1 + tableOf(resource).indexes.length : 0;

/** The number in the whole stack, with the tables that resources share. */
export const cappedInAll = (registry: readonly Resource[]): number =>
  registry.reduce(
    (sum, resource) => sum + cappedOf(resource),
    1 +
      // The table of versions with its indexes.
      (registry.some(({ history }) => history) ? 1 + versionIndexes(registry).length : 0) +
      Number(needsLog(registry)) +
      // The table of deliveries, and that of those that wait with its two indexes.
      4 * Number(registry.some(({ name }) => name === 'subscriptions')),
  );
