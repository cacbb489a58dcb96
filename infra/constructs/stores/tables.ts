import { Annotations, Fn, Stack } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { RELEASE_COMMAND } from '../../../service/folders.ts';
import { PREFIXED, tablesText } from '../../../shared/aws/config.ts';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import type { Resource, Use } from '../../../shared/resource/resource.ts';
import { REMOVED_INDEX, VERSIONS_TABLE } from '../../../shared/store/history/kept-version.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import type { Index, Table } from '../../../shared/store/items/table.ts';
import { CHANGES_TABLE } from '../../../shared/store/log-table.ts';
import type { Options } from '../../options.ts';
import { deploymentOf } from '../../stored.ts';
import { retention } from '../functions/retention.ts';

/**
 * The DynamoDB tables of the service, one for each resource that stores items. A function can therefore get access to
 * its own table alone.
 */
export class Tables extends Construct {
  readonly #byResource = new Map<string, ITableV2>();
  /** The table of recorded answers. */
  readonly kept: ITableV2;
  /** The tables of earlier versions and of changes; undefined: no resource has a history. */
  readonly history: { readonly versions: ITableV2; readonly changes: ITableV2 } | undefined;
  /** The table of deliveries to subscriptions; undefined: the service has no subscriptions. */
  readonly deliveries: ITableV2 | undefined;

  constructor(
    scope: Construct,
    id: string,
    { registry, options }: { registry: readonly Resource[]; options: Options },
  ) {
    super(scope, id);
    const adopted = adoptedTables(options, registry);
    for (const resource of registry) {
      if (!resource.table) continue;
      const stream = adopted.get(resource.name);
      const table = stream
        ? adoptedTable(this, resource.name, stream)
        : tableFor(this, this.#deployed(resource), options);
      this.#byResource.set(resource.name, table);
    }
    const answers = adopted.get(IDEMPOTENCY_TABLE.name);
    this.kept = answers ? adoptedTable(this, IDEMPOTENCY_TABLE.name, answers) : answersTable(this, options);
    const shared = (facts: SharedTable) => {
      const stream = adopted.get(facts.name);
      return stream ? adoptedTable(this, facts.name, stream) : sharedTable(this, facts, options);
    };
    if (registry.some(({ history }) => history))
      this.history = { versions: shared(VERSIONS_TABLE), changes: shared(CHANGES_TABLE) };
    if (hasSubscriptions(registry)) this.deliveries = shared(DELIVERIES_TABLE);
  }

  /** The table with the indexes of this deployment. A warning names the indexes that need further ones. */
  #deployed(resource: Resource): Table {
    const { next, left } = deploymentOf(resource);
    if (left.length > 0)
      Annotations.of(this).addWarningV2(
        `resource-api:${resource.name}`,
        `DynamoDB adds one index at a time, and the table of ${resource.name} gets ${left.join(', ')} later: record ` +
          `this release by ${RELEASE_COMMAND} after its deployment, and deploy again`,
      );
    return next;
  }

  get all(): readonly ITableV2[] {
    const shared = [this.kept, this.history?.versions, this.history?.changes, this.deliveries];
    return [...this.#byResource.values(), ...shared.flatMap((table) => table ?? [])];
  }

  /**
   * The variable with the tables of these resources, and of recorded answers by their own name. CloudFormation chooses
   * the names: stack, logical id and a random text, so the prefix is in the variable once. A table with another name,
   * such as an adopted one, has it whole.
   *
   * Source: AWS CloudFormation User Guide, "Name type", "Fn::Split", "Fn::Join".
   */
  variable(resources: readonly string[]): { readonly TABLES: string } {
    const prefix = `${Stack.of(this).stackName}-${this.node.id}`;
    const names = [...new Set(resources)].map((one): [string, string] => {
      const { tableName } = this.of(one);
      return [one, Fn.join(PREFIXED, Fn.split(prefix + one, tableName))];
    });
    return { TABLES: tablesText({ [PREFIXED]: prefix, ...Object.fromEntries(names) }) };
  }

  /** True if the resource stores items in a table of this stack. */
  has(resource: string): boolean {
    return this.#byResource.has(resource);
  }

  /**
   * Returns the table of a resource.
   * @throws Error if the resource stores no items, because its description or the `uses` of another resource is
   * wrong.
   */
  of(resource: string): ITableV2 {
    const shared = new Map<string, ITableV2 | undefined>([
      [IDEMPOTENCY_TABLE.name, this.kept],
      [VERSIONS_TABLE.name, this.history?.versions],
      [CHANGES_TABLE.name, this.history?.changes],
      [DELIVERIES_TABLE.name, this.deliveries],
    ]);
    const table = shared.has(resource) ? shared.get(resource) : this.#byResource.get(resource);
    if (!table) throw new Error(`The resource ${resource} has no table`);
    return table;
  }
}

/** What a function needs: also what the check of each resource reads whose items it writes. */
export const needsOf = ({ uses }: Pick<Resource, 'uses'>): readonly Use[] =>
  uses.flatMap((use): readonly Use[] =>
    'writes' in use ? [use, ...use.writes.uses.filter((one) => 'table' in one)] : [use],
  );

/** True if clients of the service can subscribe to events. */
const hasSubscriptions = (registry: readonly Resource[]): boolean =>
  registry.some(({ name }) => name === 'subscriptions');

/**
 * The ARNs of the streams of adopted tables, by resource.
 * @throws Error if one belongs to no resource with a table
 */
function adoptedTables(
  { adoptedTables: given = '' }: Options,
  registry: readonly Resource[],
): ReadonlyMap<string, string> {
  const pairs = given.split(',').filter((pair) => pair !== '');
  const streams = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const known = [
    ...registry.filter(({ table }) => table).map(({ name }) => name),
    IDEMPOTENCY_TABLE.name,
    ...(registry.some(({ history }) => history) ? [VERSIONS_TABLE.name, CHANGES_TABLE.name] : []),
    ...(hasSubscriptions(registry) ? [DELIVERIES_TABLE.name] : []),
  ];
  const unknown = [...streams.keys()].filter((name) => !known.includes(name));
  if (unknown.length === 0) return streams;
  throw new Error(`adoptedTables names ${unknown.join(', ')}: tables belong to ${known.join(', ')}`);
}

/**
 * A table that exists outside of the stack, such as a restored one. The stack uses it, and never changes or deletes
 * it.
 */
const adoptedTable = (scope: Construct, id: string, tableStreamArn: string): ITableV2 =>
  TableV2.fromTableAttributes(scope, id, {
    tableArn: tableStreamArn.replace(/\/stream\/.*/, ''),
    tableStreamArn,
  });

/**
 * A table with on-demand billing and point-in-time recovery for 35 days. It outlives its stack, because the data is
 * worth more than the code.
 *
 * Source: Amazon DynamoDB Developer Guide, "Point-in-time recovery", "Using deletion protection".
 */
function tableFor(scope: Construct, table: Table, options: Options): TableV2 {
  return new TableV2(scope, table.resource, {
    partitionKey: attribute(table.key),
    globalSecondaryIndexes: table.indexes.map((one) => index(one, options)),
    timeToLiveAttribute: table.timeToLive,
    billing: paid(options),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    ...retention(options),
  });
}

type SharedTable = typeof VERSIONS_TABLE | typeof CHANGES_TABLE | typeof DELIVERIES_TABLE;

/** A table of several resources without stream. Point-in-time recovery protects it as the items themselves. */
const sharedTable = (
  scope: Construct,
  { name, key, keyType, sort, timeToLive }: SharedTable,
  options: Options,
): TableV2 =>
  new TableV2(scope, name, {
    partitionKey: attribute({ name: key, type: keyType }),
    sortKey: attribute({ name: sort, type: 'N' }),
    globalSecondaryIndexes: name === VERSIONS_TABLE.name ? [index(REMOVED_INDEX, options)] : [],
    timeToLiveAttribute: timeToLive,
    billing: paid(options),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    ...retention(options),
  });

/** On-demand billing. The operator can limit the units per second. */
const paid = ({ maximumReads, maximumWrites }: Options): Billing =>
  Billing.onDemand({ maxReadRequestUnits: maximumReads, maxWriteRequestUnits: maximumWrites });

/**
 * An index with whole items. A page is then one Query, and an item up to 1 KB costs the index one write unit in
 * either case. An index has its own limits. Without them, lists would have no limit, because they read only indexes.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB maximum throughput for on-demand tables".
 */
const index = (
  { name, partition, partitionType, sort }: Index,
  { maximumReads, maximumWrites }: Options,
): GlobalSecondaryIndexPropsV2 => ({
  indexName: name,
  partitionKey: attribute({ name: partition, type: partitionType }),
  sortKey: attribute(sort),
  projectionType: ProjectionType.ALL,
  maxReadRequestUnits: maximumReads,
  maxWriteRequestUnits: maximumWrites,
});

const TYPES = { N: AttributeType.NUMBER, S: AttributeType.STRING, B: AttributeType.BINARY } as const;

const attribute = ({ name, type }: Index['sort'] | Table['key']): Attribute => ({ name, type: TYPES[type] });

/**
 * The table of recorded answers, which the service replays for a day, and of the effects of running operations.
 * Without these records, the service would apply a repeated request a second time. The table is therefore protected
 * like the others. It has no point-in-time recovery, because older answers have no use.
 *
 * Source: Amazon DynamoDB Developer Guide, "Using time to live (TTL)", "Using deletion protection".
 */
const answersTable = (scope: Construct, options: Options): TableV2 =>
  new TableV2(scope, IDEMPOTENCY_TABLE.name, {
    partitionKey: { name: IDEMPOTENCY_TABLE.key, type: AttributeType.STRING },
    timeToLiveAttribute: IDEMPOTENCY_TABLE.timeToLive,
    billing: paid(options),
    ...retention(options),
  });
