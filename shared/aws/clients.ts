import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { attachedClient } from './attached-client.ts';
import { metered } from './meter.ts';

/** DynamoDB's client, made at the first call and again after other settings were attached. */
export const dynamoDb = /* @__PURE__ */ attachedClient((settings) =>
  metered(new DynamoDBClient({ ...settings, maxAttempts: 3 }), 'dynamodb'),
);
