import { type CapacityMode, Consumption, consumed } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { apply, planPut, refuseUnmet, type WriteRequest } from '../write.ts';

interface PutItemRequest extends WriteRequest {
  Item?: unknown;
  ReturnValues?: string;
  ReturnConsumedCapacity?: CapacityMode;
  ReturnItemCollectionMetrics?: string;
}

/** Creates or replaces an item. Source: DynamoDB API Reference "PutItem". */
export const putItem = operation<PutItemRequest>(
  [
    'TableName',
    'Item',
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
      const planned = planPut(database, request);
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
