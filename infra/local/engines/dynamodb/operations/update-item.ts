import { type CapacityMode, Consumption, consumed } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { project } from '../projection.ts';
import type { Item } from '../value.ts';
import { apply, planUpdate, refuseUnmet, type Write, type WriteRequest } from '../write.ts';

interface UpdateItemRequest extends WriteRequest {
  Key?: unknown;
  UpdateExpression?: string;
  ReturnValues?: string;
  ReturnConsumedCapacity?: CapacityMode;
  ReturnItemCollectionMetrics?: string;
}

const RETURNS = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'];

/** Changes attributes of an item, or creates it. Source: DynamoDB API Reference "UpdateItem". */
export const updateItem = operation<UpdateItemRequest>(
  [
    'TableName',
    'Key',
    'UpdateExpression',
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
    if (!RETURNS.includes(returns)) throw invalid('Return values set to invalid value');
    const consumption = new Consumption();
    const write = database.storage.transaction(() => {
      const planned = planUpdate(database, request);
      refuseUnmet(planned, request);
      apply(database, planned, consumption);
      return planned;
    });
    const attributes = returned(returns, write);
    return {
      ...(attributes && { Attributes: attributes }),
      ...consumed(consumption, request.ReturnConsumedCapacity),
    };
  },
);

function returned(returns: string, { old, next, touched }: Write): Item | undefined {
  if (returns === 'NONE') return undefined;
  const item = returns.endsWith('OLD') ? old?.item : next?.item;
  if (!item || returns.startsWith('ALL')) return item;
  const found = project(item, touched);
  return touched.length > 0 && Object.keys(found).length > 0 ? found : undefined;
}
