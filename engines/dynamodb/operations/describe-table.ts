import { jsonOperation } from '../../json-protocol.ts';
import { described } from '../described.ts';
import type { ItemRequest } from '../request.ts';
import type { DynamoDb } from '../tables.ts';

/** Describes a table. Source: DynamoDB API Reference "DescribeTable". */
export const describeTable = jsonOperation(
  'TableName',
  ({ storage, tables }: DynamoDb, request: ItemRequest) => ({
    Table: described(storage, tables.named(request.TableName)),
  }),
);
