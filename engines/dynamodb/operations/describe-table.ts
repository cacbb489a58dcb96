import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import type { ItemRequest } from '../request.ts';
import { toTableDescription } from '../tables/table-description.ts';

/** Describes a table. Source: DynamoDB API Reference "DescribeTable". */
export const describeTable = jsonOperation(
  'TableName',
  ({ storage, tables }: DynamoDb, request: ItemRequest) => ({
    Table: toTableDescription(storage, tables.named(request.TableName)),
  }),
);
