import { JsonText, jsonOperation } from '../../json-protocol.ts';
import { Consumption, readUnits } from '../capacity.ts';
import type { DynamoDb } from '../context.ts';
import { Expressions } from '../expressions/expressions.ts';
import { keyOf } from '../key.ts';
import type { ItemRequest } from '../request.ts';
import { readDoc } from '../rows.ts';
import { canonicalItem, shownDoc } from '../values/value.ts';

/** Reads one item. If it is missing, the response has no `Item`. Source: DynamoDB API Reference "GetItem". */
export const getItem = jsonOperation(
  'TableName Key ConsistentRead ProjectionExpression ExpressionAttributeNames ReturnConsumedCapacity',
  ({ storage, tables }: DynamoDb, request: ItemRequest) => {
    const table = tables.named(request.TableName);
    const expressions = new Expressions(request);
    const names = expressions.projection();
    expressions.finish();
    const row = readDoc(storage, table, keyOf(table, canonicalItem(request.Key)));
    const consumption = new Consumption();
    consumption.add(table, readUnits(row?.size ?? 0, request.ConsistentRead));
    const others = consumption.of(request.ReturnConsumedCapacity);
    return row ? new JsonText('Item', shownDoc(row.doc, names), others) : others;
  },
);
