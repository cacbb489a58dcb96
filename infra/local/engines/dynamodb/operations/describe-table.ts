import { jsonOperation } from '../../json-protocol.ts';
import { describe } from '../schema.ts';
import type { DynamoDb } from '../tables.ts';

/** Describes a table. Source: DynamoDB API Reference "DescribeTable". */
export const describeTable = jsonOperation(
  'TableName',
  ({ tables }: DynamoDb, { TableName: name }: { TableName?: string }) => ({
    Table: describe(tables.named(name)),
  }),
);
