import { DELIVERIES_TABLE } from '../../shared/events/webhooks/deliveries.ts';
import { BY_DUE, BY_NEXT, WAITING_TABLE } from '../../shared/events/webhooks/waiting-table.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { CHANGES_TABLE, needsLog } from '../../shared/store/form/log-table.ts';
import { type Table, tableOf } from '../../shared/store/form/table.ts';
import { VERSIONS_TABLE, versionIndexes } from '../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';

/** A table of the service. `resource`: its name in `TABLES`, of a resource or of what all of them share. */
export interface ServiceTable extends Table {
  /** True if it has the items of a resource, whose changes its stream brings. */
  readonly hasStream: boolean;
  /** True if point-in-time recovery protects it. Without it, a restoration leaves the table as it is. */
  readonly isRecovered: boolean;
}

/** The facts of a table that several resources share. */
interface SharedFacts {
  readonly name: string;
  readonly key: string;
  readonly keyType?: 'N' | 'S';
  readonly sort?: string;
  readonly sortType?: 'N' | 'S';
  readonly timeToLive: string;
}

/** Returns a shared table. Without `isRecovered`, its rows are worth nothing after some days. */
const shared = (
  { name: resource, key, keyType = 'S', sort, sortType = 'N', timeToLive }: SharedFacts,
  { indexes = [], isRecovered = true }: Partial<Pick<ServiceTable, 'indexes' | 'isRecovered'>> = {},
): ServiceTable => ({
  resource,
  key: { name: key, type: keyType },
  ...(sort === undefined ? {} : { sort: { name: sort, type: sortType } }),
  partitions: [],
  indexes,
  timeToLive,
  hasStream: false,
  isRecovered,
});

/** Returns the names of the tables that these resources share, without the one of recorded answers. */
export const sharedNames = (
  resources: readonly { readonly name: string; readonly history?: unknown }[],
): readonly string[] => [
  ...(resources.some(({ history }) => history) ? [VERSIONS_TABLE.name] : []),
  ...(needsLog(resources) ? [CHANGES_TABLE.name] : []),
  ...(resources.some(({ name }) => name === 'subscriptions')
    ? [DELIVERIES_TABLE.name, WAITING_TABLE.name]
    : []),
];

/** Returns all tables of a service. Provisioning, adoption and recovery read this list. */
export const tablesOf = (registry: readonly Resource[]): readonly ServiceTable[] => [
  ...registry
    .filter(({ table }) => table)
    .map((one) => ({ ...tableOf(one), hasStream: true, isRecovered: true })),
  // The service replays an answer for a day. Older ones have no use.
  shared(IDEMPOTENCY_TABLE, { isRecovered: false }),
  ...[
    shared(VERSIONS_TABLE, { indexes: versionIndexes(registry) }),
    shared(CHANGES_TABLE),
    shared(DELIVERIES_TABLE),
    // The log has the events of deliveries that wait.
    shared(WAITING_TABLE, { indexes: [BY_DUE, BY_NEXT], isRecovered: false }),
  ].filter(({ resource }) => sharedNames(registry).includes(resource)),
];
