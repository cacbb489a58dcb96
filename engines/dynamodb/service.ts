import type { JsonService } from '../json-protocol.ts';
import type { DynamoDb } from './context.ts';
import { batchGetItem } from './operations/batch-get-item.ts';
import { createTable } from './operations/create-table.ts';
import { deleteItem } from './operations/delete-item.ts';
import { describeTable } from './operations/describe-table.ts';
import { getItem } from './operations/get-item.ts';
import { putItem } from './operations/put-item.ts';
import { query } from './operations/query.ts';
import { restoreTable } from './operations/restore-table.ts';
import { scan } from './operations/scan.ts';
import { transactWriteItems } from './operations/transact-write-items.ts';
import { updateContinuousBackups } from './operations/update-continuous-backups.ts';
import { updateItem } from './operations/update-item.ts';
import { updateTable } from './operations/update-table.ts';
import { updateTimeToLive } from './operations/update-time-to-live.ts';

/** DynamoDB on the wire. Source: DynamoDB Developer Guide "DynamoDB low-level API". */
export const dynamoDbService: JsonService<DynamoDb> = {
  name: 'DynamoDB',
  namespace: 'com.amazonaws.dynamodb.v20120810',
  operations: {
    BatchGetItem: batchGetItem,
    CreateTable: createTable,
    DeleteItem: deleteItem,
    DescribeTable: describeTable,
    GetItem: getItem,
    PutItem: putItem,
    Query: query,
    RestoreTableToPointInTime: restoreTable,
    Scan: scan,
    TransactWriteItems: transactWriteItems,
    UpdateContinuousBackups: updateContinuousBackups,
    UpdateItem: updateItem,
    UpdateTable: updateTable,
    UpdateTimeToLive: updateTimeToLive,
  },
};
