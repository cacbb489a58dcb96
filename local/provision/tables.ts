import { setTimeout } from 'node:timers/promises';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  type GlobalSecondaryIndex,
  type StreamSpecification,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { wrongKey } from '../../infra/stored.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { isNamed } from '../../shared/aws/faults.ts';
import { DELIVERIES_TABLE } from '../../shared/events/webhooks/deliveries.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { REMOVED_INDEX, VERSIONS_TABLE } from '../../shared/store/history/kept-version.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';
import { type Index, type Table, tableOf } from '../../shared/store/items/table.ts';
import { CHANGES_TABLE } from '../../shared/store/log-table.ts';
import { names } from './names.ts';

/** The service creates events from the changes of these tables. */
const STREAM: StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };

/** Creates the missing tables, indexes and streams of resources. Returns the names of the resources with a new table. */
export async function provideTables(registry: readonly Resource[]): Promise<ReadonlySet<string>> {
  const created = new Set<string>();
  for (const resource of registry)
    if (await provideTable(tableOf(resource), STREAM)) created.add(resource.name);
  return created;
}

/** Creates the table of recorded answers. */
export const provideAnswers = (): Promise<boolean> =>
  provideTable({
    resource: IDEMPOTENCY_TABLE.name,
    key: { name: IDEMPOTENCY_TABLE.key, type: 'S' },
    partitions: [],
    indexes: [],
    timeToLive: IDEMPOTENCY_TABLE.timeToLive,
  });

/** Creates the tables of earlier versions and of changes. */
export async function provideHistory(): Promise<void> {
  await provideShared(VERSIONS_TABLE, [REMOVED_INDEX]);
  await provideShared(CHANGES_TABLE);
}

/** Creates the table of deliveries. */
export const provideDeliveries = (): Promise<boolean> => provideShared(DELIVERIES_TABLE);

/** Creates a table without stream. */
const provideShared = (
  {
    name: resource,
    key,
    keyType: type,
    sort,
    timeToLive,
  }: typeof CHANGES_TABLE | typeof DELIVERIES_TABLE | typeof VERSIONS_TABLE,
  indexes: readonly Index[] = [],
): Promise<boolean> =>
  provideTable({
    resource,
    key: { name: key, type },
    sort: { name: sort, type: 'N' },
    partitions: [],
    indexes,
    timeToLive,
  });

/** Runs at each start, because an earlier start may have crashed after it created the table and before this step. */
async function provideTimeToLive({ resource, timeToLive }: Table): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: timeToLive, Enabled: true };
  try {
    await dynamoDb().send(
      new UpdateTimeToLiveCommand({ TableName: names.table(resource), TimeToLiveSpecification }),
    );
  } catch (error) {
    // DynamoDB returns this error if the time to live is enabled already.
    if (!isNamed(error, 'ValidationException')) throw error;
  }
}

/** Creates a table and its missing indexes. Returns true if there was no such table. */
export async function provideTable(table: Table, stream?: StreamSpecification): Promise<boolean> {
  const isNew = await provideItems(table, stream);
  if (table.timeToLive !== undefined) await provideTimeToLive(table);
  return isNew;
}

async function provideItems(table: Table, StreamSpecification?: StreamSpecification): Promise<boolean> {
  const client = dynamoDb();
  const TableName = names.table(table.resource);
  try {
    const { Table: existing } = await client.send(new DescribeTableCommand({ TableName }));
    const [other] = wrongKey(table.resource, existing?.KeySchema?.[0]?.AttributeName, table.key.name);
    if (other) throw new Error(other);
    const known = new Set((existing?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName));
    const indexes = table.indexes.filter(({ name }) => known.has(name));
    for (const index of table.indexes.filter(({ name }) => !known.has(name))) {
      const update = { Create: indexOf(index) as GlobalSecondaryIndex };
      indexes.push(index);
      const AttributeDefinitions = attributesOf({ ...table, indexes }, existing?.AttributeDefinitions);
      await client.send(
        new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [update] }),
      );
      await whenActive(TableName);
    }
    if (StreamSpecification && !existing?.StreamSpecification?.StreamEnabled)
      await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    return false;
  } catch (error) {
    if (!isNamed(error, 'ResourceNotFoundException')) throw error;
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributesOf(table),
        KeySchema: [
          { AttributeName: table.key.name, KeyType: 'HASH' },
          ...(table.sort ? [{ AttributeName: table.sort.name, KeyType: 'RANGE' as const }] : []),
        ],
        StreamSpecification,
        // DynamoDB refuses an empty list.
        GlobalSecondaryIndexes: table.indexes.length > 0 ? table.indexes.map(indexOf) : undefined,
      }),
    );
    return true;
  }
}

/** Waits until a table has all its indexes: DynamoDB creates one at a time. */
async function whenActive(TableName: string): Promise<void> {
  for (;;) {
    const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName }));
    if (Table?.GlobalSecondaryIndexes?.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) return;
    await setTimeout(50);
  }
}

const indexOf = ({ name, partition, sort }: Index): GlobalSecondaryIndex => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort.name, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

/** The attributes of all keys. `known`: those of a table that exists. */
function attributesOf(
  { key, sort: range, indexes }: Table,
  known: readonly AttributeDefinition[] = [],
): AttributeDefinition[] {
  const types = new Map(known.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  types.set(key.name, key.type);
  if (range) types.set(range.name, range.type);
  for (const { partition, partitionType, sort } of indexes)
    types.set(partition, partitionType).set(sort.name, sort.type);
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}
