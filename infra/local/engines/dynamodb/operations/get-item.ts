import { jsonOperation } from '../../json-protocol.ts';
import { type CapacityMode, Consumption, readUnits } from '../capacity.ts';
import { keyOf } from '../key.ts';
import { type PlaceholderMembers, Placeholders } from '../placeholders.ts';
import { parseProjection } from '../projection.ts';
import { readRow } from '../rows.ts';
import type { DynamoDb } from '../tables.ts';
import { readExpression } from '../tokens.ts';
import { canonicalItem, pick } from '../value.ts';

interface GetItemRequest extends PlaceholderMembers {
  TableName?: string;
  Key?: unknown;
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ReturnConsumedCapacity?: CapacityMode;
}

/** Reads one item; no `Item` in the answer if there is none. Source: DynamoDB API Reference "GetItem". */
export const getItem = jsonOperation(
  'TableName Key ConsistentRead ProjectionExpression ExpressionAttributeNames ReturnConsumedCapacity',
  ({ storage, tables }: DynamoDb, request: GetItemRequest) => {
    const table = tables.named(request.TableName);
    const placeholders = new Placeholders(request);
    const expression = request.ProjectionExpression;
    const names = readExpression('ProjectionExpression', expression, placeholders, parseProjection);
    placeholders.finish();
    const row = readRow(storage, table, keyOf(table, canonicalItem(request.Key)));
    const consumption = new Consumption();
    consumption.add(table, readUnits(row?.size ?? 0, request.ConsistentRead));
    return {
      ...(row && { Item: names ? pick(row.item, names) : row.item }),
      ...consumption.of(request.ReturnConsumedCapacity),
    };
  },
);
