import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { type StreamSpecification, streamOf } from '../streams/specification.ts';
import { tableOf } from '../tables/schema.ts';
import type { Definition } from '../tables/table.ts';
import { toTableDescription } from '../tables/table-description.ts';
import { requireTableName } from '../tables/tables.ts';

/** Creates a table, which is active at once. Source: DynamoDB API Reference "CreateTable". */
export const createTable = jsonOperation(
  'TableName AttributeDefinitions KeySchema GlobalSecondaryIndexes BillingMode StreamSpecification',
  (
    { storage, tables }: DynamoDb,
    request: Partial<Definition> & { StreamSpecification?: StreamSpecification },
  ) => {
    const {
      TableName,
      AttributeDefinitions = [],
      KeySchema = [],
      GlobalSecondaryIndexes = [],
      StreamSpecification,
    } = request;
    const now = storage.now();
    requireTableName(TableName);
    if (tables.has(TableName)) throw new Fault('ResourceInUseException', `Table exists: ${TableName}`);
    const stream = streamOf(TableName, StreamSpecification, now);
    const definition = { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, ...stream };
    const table = tableOf(tables.nextId, definition, now / 1000);
    tables.save(table);
    return { TableDescription: toTableDescription(storage, table) };
  },
);
