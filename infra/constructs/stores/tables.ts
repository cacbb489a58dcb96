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
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { type ServiceTable, tablesOf } from '../../../service/derived/tables.ts';
import { RELEASE_COMMAND } from '../../../service/folders.ts';
import { PREFIXED, tablesText } from '../../../shared/aws/config.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import type { Resource, Use } from '../../../shared/resource/resource.ts';
import { CHANGES_TABLE } from '../../../shared/store/form/log-table.ts';
import type { Index, Table } from '../../../shared/store/form/table.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import type { Options } from '../../options.ts';
import { deploymentOf } from '../../stored.ts';
import { retention } from '../functions/retention.ts';

/**
 * The DynamoDB tables of the service, one for each resource that stores items. A function can therefore get access to
 * its own table alone.
 */
export class Tables extends Construct {
  readonly #byName = new Map<string, ITableV2>();
  readonly #ofItems = new Set<string>();

  constructor(
    scope: Construct,
    id: string,
    { registry, options }: { registry: readonly Resource[]; options: Options },
  ) {
    super(scope, id);
    const tables = tablesOf(registry);
    const adopted = adoptedTables(options, tables);
    for (const table of tables) {
      const { resource: name } = table;
      const arn = adopted.get(name);
      const resource = registry.find((one) => one.table && one.name === name);
      if (resource) this.#ofItems.add(name);
      const deployed = resource ? { ...table, ...this.#deployed(resource) } : table;
      this.#byName.set(name, arn ? adoptedTable(this, table, arn) : tableFor(this, deployed, options));
    }
  }

  /** The table of recorded answers. */
  get kept(): ITableV2 {
    return this.of(IDEMPOTENCY_TABLE.name);
  }

  /** The table of earlier versions; undefined: no resource has a history. */
  get versions(): ITableV2 | undefined {
    return this.#byName.get(VERSIONS_TABLE.name);
  }

  /** The log of changes; undefined: the service has no subscriptions either. */
  get changes(): ITableV2 | undefined {
    return this.#byName.get(CHANGES_TABLE.name);
  }

  /** The table of deliveries that wait; undefined: the service has no subscriptions. */
  get waiting(): ITableV2 | undefined {
    return this.#byName.get(WAITING_TABLE.name);
  }

  /** The table with the indexes of this deployment. A warning names the indexes that need others. */
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
    return [...this.#byName.values()];
  }

  /** The tables by the names of their resources. */
  get byName(): Readonly<Record<string, ITableV2>> {
    return Object.fromEntries(this.#byName);
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

  /** True if the resource stores items in a table. */
  has(resource: string): boolean {
    return this.#ofItems.has(resource);
  }

  /**
   * Returns the table of a resource.
   * @throws Error if the resource stores no items, because its description or the `uses` of another resource is
   * wrong.
   */
  of(resource: string): ITableV2 {
    const table = this.#byName.get(resource);
    if (!table) throw new Error(`The resource ${resource} has no table`);
    return table;
  }
}

/** Returns what a function needs: also what the check of each resource reads whose items it writes. */
export const needsOf = ({ uses }: Pick<Resource, 'uses'>): readonly Use[] =>
  uses.flatMap((use): readonly Use[] =>
    'writes' in use ? [use, ...use.writes.uses.filter((one) => 'table' in one || 'reads' in one)] : [use],
  );

/**
 * Returns the ARNs of adopted tables by name, or those of their streams.
 * @throws Error if one belongs to no table of the service
 */
function adoptedTables(
  { adoptedTables: given = '' }: Options,
  tables: readonly ServiceTable[],
): ReadonlyMap<string, string> {
  const pairs = given.split(',').filter((pair) => pair !== '');
  const arns = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const known = tables.map(({ resource }) => resource);
  const unknown = [...arns.keys()].filter((name) => !known.includes(name));
  if (unknown.length === 0) return arns;
  throw new Error(`adoptedTables names ${unknown.join(', ')}: tables belong to ${known.join(', ')}`);
}

/**
 * Returns a table that exists outside of the stack, such as a restored one. The stack uses it, and never changes or
 * deletes it. A deployment reads the ARN of the stream of items.
 */
function adoptedTable(scope: Construct, { resource, hasStream }: ServiceTable, arn: string): ITableV2 {
  const [tableArn = '', stream] = arn.split('/stream/');
  if (!hasStream) return TableV2.fromTableArn(scope, resource, tableArn);
  const tableStreamArn = stream === undefined ? streamOf(scope, resource, tableArn) : arn;
  return TableV2.fromTableAttributes(scope, resource, { tableArn, tableStreamArn });
}

/** Reads the ARN of the stream of a table in each deployment that names another table. */
function streamOf(scope: Construct, resource: string, tableArn: string): string {
  const read = new AwsCustomResource(scope, `${resource}-stream`, {
    onUpdate: {
      service: 'DynamoDB',
      action: 'DescribeTable',
      parameters: { TableName: tableArn },
      outputPaths: ['Table.LatestStreamArn'],
      physicalResourceId: PhysicalResourceId.of(tableArn),
    },
    policy: AwsCustomResourcePolicy.fromStatements([
      new PolicyStatement({ actions: ['dynamodb:DescribeTable'], resources: [tableArn] }),
    ]),
    installLatestAwsSdk: false,
  });
  return read.getResponseField('Table.LatestStreamArn');
}

/**
 * Returns a table with on-demand billing. It outlives its stack, because the data is worth more than the code.
 * Point-in-time recovery protects its last 35 days.
 *
 * Source: Amazon DynamoDB Developer Guide, "Point-in-time recovery", "Using deletion protection", "Using time to live
 * (TTL)".
 */
function tableFor(scope: Construct, table: ServiceTable, options: Options): TableV2 {
  const { resource, key, sort, indexes, timeToLive, hasStream, isRecovered } = table;
  return new TableV2(scope, resource, {
    partitionKey: attribute(key),
    ...(sort ? { sortKey: attribute(sort) } : {}),
    globalSecondaryIndexes: indexes.map((one) => index(one, options)),
    timeToLiveAttribute: timeToLive,
    billing: paid(options),
    ...(isRecovered ? { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true } } : {}),
    ...(hasStream ? { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES } : {}),
    ...retention(options),
  });
}

/** On-demand billing. The operator can limit the units per second. */
const paid = ({ maximumReads, maximumWrites }: Options): Billing =>
  Billing.onDemand({ maxReadRequestUnits: maximumReads, maxWriteRequestUnits: maximumWrites });

/**
 * Returns an index with whole items, unless the service reads its keys alone. A page is then one Query, and an item up
 * to 1 KB costs the index one write unit in either case. An index has its own limits. Without them, lists would have no
 * limit, because they read only indexes.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB maximum throughput for on-demand tables".
 */
const index = (
  { name, partition, partitionType, sort, keysOnly }: Index,
  { maximumReads, maximumWrites }: Options,
): GlobalSecondaryIndexPropsV2 => ({
  indexName: name,
  partitionKey: attribute({ name: partition, type: partitionType }),
  sortKey: attribute(sort),
  projectionType: keysOnly ? ProjectionType.KEYS_ONLY : ProjectionType.ALL,
  maxReadRequestUnits: maximumReads,
  maxWriteRequestUnits: maximumWrites,
});

const TYPES = { N: AttributeType.NUMBER, S: AttributeType.STRING, B: AttributeType.BINARY } as const;

const attribute = ({ name, type }: Index['sort']): Attribute => ({ name, type: TYPES[type] });
