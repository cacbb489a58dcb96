import { Fault, notImplemented } from '../fault.ts';
import { type JsonOperation, jsonOperation } from '../json-protocol.ts';
import { type CapacityMode, Consumption } from './capacity.ts';
import type { DynamoDb } from './tables.ts';
import { apply, failedItem, type Plan, type WriteRequest } from './write.ts';

interface OperationRequest extends WriteRequest {
  ReturnValues?: string;
  ReturnConsumedCapacity?: CapacityMode;
}

const MEMBERS =
  'TableName ConditionExpression ExpressionAttributeNames ExpressionAttributeValues ReturnValues ReturnValuesOnConditionCheckFailure ReturnConsumedCapacity';

/**
 * An operation that writes one item: planned, checked and stored in one transaction.
 *
 * @param members those of its own
 * @param returns the ReturnValues it knows, with spaces between them
 * @throws ConditionalCheckFailedException, with the item if that was asked for
 */
export function writeOperation(members: string, returns: string, plan: Plan): JsonOperation<DynamoDb> {
  return jsonOperation(`${MEMBERS} ${members}`, (database: DynamoDb, request: OperationRequest) => {
    const { ReturnValues: returned = 'NONE', ReturnConsumedCapacity: mode } = request;
    if (!returns.split(' ').includes(returned)) throw notImplemented(`DynamoDB ReturnValues ${returned}`);
    const consumption = new Consumption();
    const { old, next } = database.storage.transaction(() => {
      const write = plan(database, request);
      if (!write.allowed) {
        const item = failedItem(write, request);
        throw new Fault('ConditionalCheckFailedException', 'The conditional request failed', 400, item);
      }
      apply(database, write, consumption);
      return write;
    });
    const shown = { NONE: undefined, ALL_OLD: old, ALL_NEW: next }[returned];
    return { ...(shown && { Attributes: shown.item }), ...consumption.of(mode) };
  });
}
