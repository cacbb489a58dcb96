import { Fault, invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { type Definition, tableOf } from '../schema.ts';
import type { DynamoDb } from '../tables.ts';

/** Creates a table, active at once; nothing is provisioned or billed. Source: DynamoDB API Reference "CreateTable". */
export const createTable = jsonOperation(
  'TableName AttributeDefinitions KeySchema GlobalSecondaryIndexes BillingMode',
  ({ tables }: DynamoDb, request: Partial<Definition>) => {
    const {
      TableName = '',
      AttributeDefinitions = [],
      KeySchema = [],
      GlobalSecondaryIndexes = [],
    } = request;
    if (!/^[A-Za-z0-9_.-]{3,255}$/.test(TableName)) {
      throw invalid('TableName must be 3 to 255 of a-z A-Z 0-9 _ - .');
    }
    if (tables.has(TableName)) throw new Fault('ResourceInUseException', `Table exists: ${TableName}`);
    const definition = { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes };
    const table = tableOf(tables.nextId, definition, Date.now() / 1000);
    tables.save(table);
    return { TableDescription: table.description };
  },
);
