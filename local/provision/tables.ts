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
import type { ServiceTable } from '../../service/derived/tables.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { isNamed } from '../../shared/aws/faults.ts';
import type { Index, Table } from '../../shared/store/form/table.ts';
import { names } from './names.ts';

/** The service creates events from the changes of these tables. */
const STREAM: StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };

/** Creates the missing tables, indexes and streams. Returns the names of the resources with a new table. */
export async function provideTables(tables: readonly ServiceTable[]): Promise<ReadonlySet<string>> {
  const created = new Set<string>();
  for (const table of tables)
    if (await provideTable(table, table.hasStream ? STREAM : undefined)) created.add(table.resource);
  return created;
}

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

/** The embedded engine has no index with keys alone: the service reads nothing else of one. */
const indexOf = ({ name, partition, sort }: Index): GlobalSecondaryIndex => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort.name, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

/** Returns the attributes of all keys. `known`: those of a table that exists. */
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
