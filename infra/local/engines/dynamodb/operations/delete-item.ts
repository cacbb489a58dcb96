import { type CapacityMode, Consumption, consumed } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { apply, planDelete, refuseUnmet, type WriteRequest } from '../write.ts';

interface DeleteItemRequest extends WriteRequest {
  Key?: unknown;
  ReturnValues?: string;
  ReturnConsumedCapacity?: CapacityMode;
  ReturnItemCollectionMetrics?: string;
}

/** Deletes an item; one that does not exist, too. Source: DynamoDB API Reference "DeleteItem". */
export const deleteItem = operation<DeleteItemRequest>(
  [
    'TableName',
    'Key',
    'ConditionExpression',
    'ExpressionAttributeNames',
    'ExpressionAttributeValues',
    'ReturnValues',
    'ReturnValuesOnConditionCheckFailure',
    'ReturnConsumedCapacity',
    'ReturnItemCollectionMetrics',
  ],
  (database, request) => {
    const { ReturnValues: returns = 'NONE' } = request;
    if (returns !== 'NONE' && returns !== 'ALL_OLD') {
      throw invalid('Return values set to invalid value');
    }
    const consumption = new Consumption();
    const write = database.storage.transaction(() => {
      const planned = planDelete(database, request);
      refuseUnmet(planned, request);
      apply(database, planned, consumption);
      return planned;
    });
    return {
      ...(returns === 'ALL_OLD' && write.old && { Attributes: write.old.item }),
      ...consumed(consumption, request.ReturnConsumedCapacity),
    };
  },
);
