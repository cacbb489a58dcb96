import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { lazyClient } from './lazy-client.ts';
import { metered } from './meter.ts';
import { withoutLogger } from './without-logger.ts';

/** DynamoDB's client, made at the first call and again after other settings were attached. */
export const dynamoDb = /* @__PURE__ */ lazyClient((settings) =>
  metered(withoutLogger(new DynamoDBClient({ ...settings, maxAttempts: 3 })), 'dynamodb'),
);
