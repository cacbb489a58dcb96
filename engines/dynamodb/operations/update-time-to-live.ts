import { invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';

interface UpdateTimeToLiveRequest {
  TableName?: string;
  TimeToLiveSpecification?: { AttributeName?: string; Enabled?: boolean };
}

/**
 * Sets the attribute with the time, in seconds, after which the engine can remove an item. Source: DynamoDB API
 * Reference "UpdateTimeToLive".
 */
export const updateTimeToLive = jsonOperation(
  'TableName TimeToLiveSpecification',
  ({ tables }: DynamoDb, request: UpdateTimeToLiveRequest) => {
    const { TimeToLiveSpecification } = request;
    const { AttributeName: name, Enabled: enabled } = TimeToLiveSpecification ?? {};
    if (typeof name !== 'string' || typeof enabled !== 'boolean')
      throw invalid('TimeToLiveSpecification must have AttributeName and Enabled');
    if (name === '' || name.length > 255) throw invalid('AttributeName must have 1 to 255 characters');
    const table = tables.named(request.TableName);
    if (enabled === (table.timeToLive !== undefined))
      throw invalid(`TimeToLive is already ${enabled ? 'enabled' : 'disabled'}`);
    tables.save({ ...table, timeToLive: enabled ? name : undefined });
    return { TimeToLiveSpecification };
  },
);
