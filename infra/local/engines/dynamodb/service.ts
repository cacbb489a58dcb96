import type { JsonService } from '../json-protocol.ts';
import type { DynamoDb } from './dynamodb.ts';
import { batchGetItem } from './operations/batch-get-item.ts';
import { batchWriteItem } from './operations/batch-write-item.ts';
import { createTable } from './operations/create-table.ts';
import { deleteItem } from './operations/delete-item.ts';
import { deleteTable } from './operations/delete-table.ts';
import { describeTable } from './operations/describe-table.ts';
import { describeTimeToLive } from './operations/describe-time-to-live.ts';
import { getItem } from './operations/get-item.ts';
import { listTables } from './operations/list-tables.ts';
import { putItem } from './operations/put-item.ts';
import { query } from './operations/query.ts';
import { scan } from './operations/scan.ts';
import { transactGetItems } from './operations/transact-get-items.ts';
import { transactWriteItems } from './operations/transact-write-items.ts';
import { updateItem } from './operations/update-item.ts';
import { updateTable } from './operations/update-table.ts';
import { updateTimeToLive } from './operations/update-time-to-live.ts';

/** DynamoDB on the wire: AWS JSON 1.0. Source: DynamoDB Developer Guide "DynamoDB low-level API". */
export const dynamoDbService: JsonService<DynamoDb> = {
  name: 'DynamoDB',
  contentType: 'application/x-amz-json-1.0',
  namespace: 'com.amazonaws.dynamodb.v20120810',
  operations: {
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    CreateTable: createTable,
    DeleteItem: deleteItem,
    DeleteTable: deleteTable,
    DescribeTable: describeTable,
    DescribeTimeToLive: describeTimeToLive,
    GetItem: getItem,
    ListTables: listTables,
    PutItem: putItem,
    Query: query,
    Scan: scan,
    TransactGetItems: transactGetItems,
    TransactWriteItems: transactWriteItems,
    UpdateItem: updateItem,
    UpdateTable: updateTable,
    UpdateTimeToLive: updateTimeToLive,
  },
};
