import { jsonOperation } from '../../json-protocol.ts';
import type { ItemRequest } from '../request.ts';
import type { DynamoDb } from '../tables.ts';

/** Describes a table. Source: DynamoDB API Reference "DescribeTable". */
export const describeTable = jsonOperation('TableName', ({ tables }: DynamoDb, request: ItemRequest) => ({
  Table: tables.named(request.TableName).description,
}));
