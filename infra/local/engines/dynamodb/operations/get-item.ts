import { type CapacityMode, Consumption, consumed, readUnits } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { keyOf } from '../key.ts';
import { project } from '../projection.ts';
import { readRow } from '../rows.ts';
import { Scope } from '../scope.ts';
import { canonicalItem } from '../value.ts';

interface GetItemRequest {
  TableName?: string;
  Key?: unknown;
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ReturnConsumedCapacity?: CapacityMode;
}

/** Reads one item; no `Item` in the answer if there is none. Source: DynamoDB API Reference "GetItem". */
export const getItem = operation<GetItemRequest>(
  [
    'TableName',
    'Key',
    'ConsistentRead',
    'ProjectionExpression',
    'ExpressionAttributeNames',
    'ReturnConsumedCapacity',
  ],
  (database, request) => {
    const table = database.tables.named(request.TableName);
    const scope = new Scope(request);
    const paths = scope.projection(request.ProjectionExpression);
    scope.finish();
    const row = readRow(database.storage, table, keyOf(table, canonicalItem(request.Key ?? {})));
    const consumption = new Consumption();
    consumption.add(table, readUnits(row?.size ?? 0, request.ConsistentRead ? 'strong' : 'eventual'));
    return {
      ...(row && { Item: paths ? project(row.item, paths) : row.item }),
      ...consumed(consumption, request.ReturnConsumedCapacity),
    };
  },
);
