import type { DynamoDb } from './dynamodb.ts';
import { parts } from './key.ts';
import { type Index, indexId, type KeyShape, type Table } from './tables.ts';

/** The TableDescription of a table. Source: DynamoDB API Reference "TableDescription". */
export function describe(database: DynamoDb, table: Table, status = 'ACTIVE'): object {
  const count = database.storage.get<{ count: number; bytes: number }>(
    'SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM item WHERE tbl = ?',
    table.id,
  );
  const attributes = new Map([table, ...table.indexes].flatMap(parts).map(({ name, type }) => [name, type]));
  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${table.name}`;
  return {
    TableName: table.name,
    TableArn: arn,
    TableId: table.uuid,
    TableStatus: status,
    CreationDateTime: table.created / 1000,
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: schema(table),
    ItemCount: count?.count,
    TableSizeBytes: count?.bytes,
    DeletionProtectionEnabled: table.deletionProtection,
    BillingModeSummary: { BillingMode: table.billing },
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    ...(table.indexes.length > 0 && {
      GlobalSecondaryIndexes: table.indexes.map((index) => describeIndex(database, table, index, arn)),
    }),
  };
}

function describeIndex(database: DynamoDb, table: Table, index: Index, arn: string): object {
  const count = database.storage.get<{ count: number }>(
    'SELECT count(*) AS count FROM gsi WHERE idx = ?',
    indexId(table, index),
  );
  return {
    IndexName: index.name,
    IndexArn: `${arn}/index/${index.name}`,
    IndexStatus: 'ACTIVE',
    KeySchema: schema(index),
    Projection: { ProjectionType: index.projection },
    ItemCount: count?.count,
  };
}

function schema({ hash, range }: KeyShape): object[] {
  return [
    { AttributeName: hash.name, KeyType: 'HASH' },
    ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
  ];
}
