import { DynamoDBClient } from '#dynamodb';
import { metered } from '../meter.ts';
import { lazyClient } from './lazy-client.ts';
import { withoutLogger } from './without-logger.ts';

/** The DynamoDB client. The first call creates it, and so does the first call after `configureClients`. */
export const dynamoDb = /* @__PURE__ */ lazyClient((settings) =>
  metered(withoutLogger(new DynamoDBClient({ ...settings, maxAttempts: 3 })), 'dynamodb'),
);
