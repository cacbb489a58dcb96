import { Fault, notImplemented } from '../fault.ts';
import { type JsonOperation, jsonOperation } from '../json-protocol.ts';
import { Consumption } from './capacity.ts';
import type { DynamoDb } from './context.ts';
import type { ItemRequest } from './request.ts';
import { apply, plan, type WriteKind } from './write.ts';

const EXPRESSIONS = 'ConditionExpression ExpressionAttributeNames ExpressionAttributeValues';
const RETURNS = 'ReturnValues ReturnValuesOnConditionCheckFailure ReturnConsumedCapacity';

/**
 * An operation that writes one item. It plans, checks and stores the write in one transaction. `members` lists its
 * own request members, `returns` the ReturnValues that it accepts.
 * @throws ConditionalCheckFailedException, with the item if the request asks for it
 */
export function writeOperation(kind: WriteKind, members: string, returns: string[]): JsonOperation<DynamoDb> {
  const accepts = `TableName ${members} ${EXPRESSIONS} ${RETURNS}`;
  return jsonOperation(accepts, (database: DynamoDb, request: ItemRequest) => {
    const { ReturnValues: returned = 'NONE', ReturnConsumedCapacity: mode } = request;
    if (!returns.includes(returned)) throw notImplemented(`DynamoDB ReturnValues ${returned}`);
    const consumption = new Consumption();
    const { old, next } = database.storage.transaction(() => {
      const write = plan(database, kind, request);
      const message = 'The conditional request failed';
      if (write.failed) throw new Fault('ConditionalCheckFailedException', message, 400, write.failed);
      apply(database, write, consumption);
      return write;
    });
    const shown = { NONE: undefined, ALL_OLD: old, ALL_NEW: next }[returned];
    return { ...(shown && { Attributes: shown.item }), ...consumption.of(mode) };
  });
}
