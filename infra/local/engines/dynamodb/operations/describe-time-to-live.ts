import { operation } from '../dynamodb.ts';

/** Tells whether items expire, and by which attribute. Source: DynamoDB API Reference "DescribeTimeToLive". */
export const describeTimeToLive = operation<{ TableName?: string }>(['TableName'], ({ tables }, request) => {
  const { ttl } = tables.named(request.TableName);
  return {
    TimeToLiveDescription: ttl
      ? { TimeToLiveStatus: 'ENABLED', AttributeName: ttl }
      : { TimeToLiveStatus: 'DISABLED' },
  };
});
