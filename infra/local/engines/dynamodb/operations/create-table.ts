import { Fault, invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { type Definition, tableOf } from '../schema.ts';
import { type StreamSpecification, streamOf } from '../streams/specification.ts';
import type { DynamoDb } from '../tables.ts';

/** Creates a table, active at once; nothing is provisioned or billed. Source: DynamoDB API Reference "CreateTable". */
export const createTable = jsonOperation(
  'TableName AttributeDefinitions KeySchema GlobalSecondaryIndexes BillingMode StreamSpecification',
  ({ tables }: DynamoDb, request: Partial<Definition> & { StreamSpecification?: StreamSpecification }) => {
    const {
      TableName = '',
      AttributeDefinitions = [],
      KeySchema = [],
      GlobalSecondaryIndexes = [],
      StreamSpecification,
    } = request;
    const now = Date.now();
    if (!/^[A-Za-z0-9_.-]{3,255}$/.test(TableName)) {
      throw invalid('TableName must be 3 to 255 of a-z A-Z 0-9 _ - .');
    }
    if (tables.has(TableName)) throw new Fault('ResourceInUseException', `Table exists: ${TableName}`);
    const stream = streamOf(TableName, StreamSpecification, now);
    const definition = { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, ...stream };
    const table = tableOf(tables.nextId, definition, now / 1000);
    tables.save(table);
    return { TableDescription: table.description };
  },
);
