import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { meterClient } from '../meter.ts';
import { lazyClient, withoutLogger } from './client.ts';
import { requireWholeResponses } from './whole-responses.ts';

/** The DynamoDB client. The first call creates it, and so does the first call after `configureClients`. */
export const dynamoDb = /* @__PURE__ */ lazyClient((settings) =>
  meterClient(requireWholeResponses(withoutLogger(new DynamoDBClient(settings))), 'dynamodb'),
);
