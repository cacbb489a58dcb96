import { type CapacityMode, Consumption } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { apply, planDelete, planPut, type Write } from '../write.ts';

interface BatchEntry {
  PutRequest?: { Item?: unknown };
  DeleteRequest?: { Key?: unknown };
}

interface BatchWriteItemRequest {
  RequestItems?: Record<string, BatchEntry[]>;
  ReturnConsumedCapacity?: CapacityMode;
  ReturnItemCollectionMetrics?: string;
}

const MAX_ENTRIES = 25;

/**
 * Puts and deletes up to 25 items, all of which are processed. DynamoDB does not promise that they happen
 * together; here they do. Source: API Reference "BatchWriteItem".
 */
export const batchWriteItem = operation<BatchWriteItemRequest>(
  ['RequestItems', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics'],
  (database, { RequestItems: requested = {}, ReturnConsumedCapacity: mode }) => {
    const entries = Object.entries(requested).flatMap(([TableName, list]) =>
      list.map((entry) => ({ TableName, ...entry })),
    );
    if (entries.length === 0) throw invalid('The batch write request list cannot be null or empty');
    if (entries.length > MAX_ENTRIES) throw invalid('Too many items requested for the BatchWriteItem call');
    const consumption = new Consumption();
    database.storage.transaction(() => {
      const seen = new Set<string>();
      for (const { TableName, PutRequest, DeleteRequest } of entries) {
        if (!PutRequest === !DeleteRequest) {
          throw invalid('Supplied WriteRequest must contain exactly one of PutRequest or DeleteRequest');
        }
        const write = PutRequest
          ? planPut(database, { TableName, Item: PutRequest.Item })
          : planDelete(database, { TableName, Key: DeleteRequest?.Key });
        if (seen.has(identity(write))) throw invalid('Provided list of item keys contains duplicates');
        seen.add(identity(write));
        apply(database, write, consumption);
      }
    });
    const report = consumption.report(mode);
    return { UnprocessedItems: {}, ...(report.length > 0 && { ConsumedCapacity: report }) };
  },
);

function identity({ table, key }: Write): string {
  return `${table.id} ${key.pk.toString('hex')} ${key.sk.toString('hex')}`;
}
