import {
  type Attribute,
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Resource } from '../../shared/resource/resource.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';
import { type Index, type Table, tableOf } from '../../shared/store/items/table.ts';
import type { Options } from '../options.ts';
import { retention } from './retention.ts';

/** The DynamoDB tables of a service, one for each resource that keeps items: a function can be given its own alone. */
export class Tables extends Construct {
  readonly #byResource = new Map<string, TableV2>();
  /** The answers that are kept to be given again. */
  readonly kept: TableV2;

  constructor(
    scope: Construct,
    id: string,
    { registry, options }: { registry: readonly Resource[]; options: Options },
  ) {
    super(scope, id);
    for (const resource of registry) {
      if (resource.table) this.#byResource.set(resource.name, tableFor(this, tableOf(resource), options));
    }
    this.kept = keptTable(this, options);
  }

  get all(): readonly TableV2[] {
    return [...this.#byResource.values(), this.kept];
  }

  /**
   * The table of a resource.
   * @throws Error when the resource keeps no items: its facts, or a neighbour's `uses`, are wrong.
   */
  of(resource: string): TableV2 {
    const table = this.#byResource.get(resource);
    if (!table) throw new Error(`The resource ${resource} has no table`);
    return table;
  }
}

/**
 * Paid by request, restorable to any second of 35 days, and outliving its stack: data is worth more than the code
 * around it.
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

/** Paid by request. The operator may limit the units per second. */
const paid = ({ maximumReads, maximumWrites }: Options): Billing =>
  Billing.onDemand({ maxReadRequestUnits: maximumReads, maxWriteRequestUnits: maximumWrites });

/**
 * Whole items: a page is one Query, and an item up to 1 KB costs the index a write unit either way. An index has limits of
 * its own: without them lists, which read indexes alone, would have none.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB maximum throughput for on-demand tables".
 */
const index = (
  { name, partition, sort }: Index,
  { maximumReads, maximumWrites }: Options,
): GlobalSecondaryIndexPropsV2 => ({
  indexName: name,
  partitionKey: { name: partition, type: AttributeType.NUMBER },
  sortKey: attribute(sort),
  projectionType: ProjectionType.ALL,
  maxReadRequestUnits: maximumReads,
  maxWriteRequestUnits: maximumWrites,
});

const TYPES = { N: AttributeType.NUMBER, S: AttributeType.STRING, B: AttributeType.BINARY } as const;

const attribute = ({ name, type }: Index['sort'] | Table['key']): Attribute => ({ name, type: TYPES[type] });

/**
 * The answers that clients get again for a day, and the effects of operations that run. Without the table the service would
 * apply a repeated request a second time. So it is protected like the others; an answer of an earlier day needs no recovery.
 *
 * Source: Amazon DynamoDB Developer Guide, "Using time to live (TTL)", "Using deletion protection".
 */
const keptTable = (scope: Construct, options: Options): TableV2 =>
  new TableV2(scope, IDEMPOTENCY_TABLE.name, {
    partitionKey: { name: IDEMPOTENCY_TABLE.key, type: AttributeType.STRING },
    timeToLiveAttribute: IDEMPOTENCY_TABLE.timeToLive,
    billing: paid(options),
    ...retention(options),
  });
