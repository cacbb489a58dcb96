import { invalid } from '../../fault.ts';
import { JsonText, jsonOperation } from '../../json-protocol.ts';
import { Consumption, readUnits } from '../capacity.ts';
import type { DynamoDb } from '../context.ts';
import { readPage, startOf } from '../page.ts';
import type { ItemRequest } from '../request.ts';
import { shownDoc } from '../values/value.ts';

/** Reads a page of all items of a table. Source: DynamoDB API Reference "Scan". */
export const scan = jsonOperation(
  'TableName Limit ExclusiveStartKey ConsistentRead ReturnConsumedCapacity',
  ({ storage, tables }: DynamoDb, request: ItemRequest) => {
    const { Limit: limit = Number.POSITIVE_INFINITY, ConsistentRead: consistent } = request;
    const table = tables.named(request.TableName);
    if (!(limit >= 1)) throw invalid("Value at 'limit' must be greater than or equal to 1");
    const all = { table, index: undefined, range: undefined, filter: undefined };
    const start = request.ExclusiveStartKey && startOf(request.ExclusiveStartKey, all.range, table);
    const page = readPage(storage, { ...all, forward: true, limit, start });
    const consumption = new Consumption();
    consumption.add(table, readUnits(page.bytes, consistent));
    return new JsonText('Items', `[${page.docs.map((doc) => shownDoc(doc, undefined)).join()}]`, {
      Count: page.docs.length,
      ScannedCount: page.scanned,
      ...(page.last && { LastEvaluatedKey: page.last }),
      ...consumption.of(request.ReturnConsumedCapacity),
    });
  },
);
