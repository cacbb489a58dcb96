import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../shared/aws/clients.ts';
import { currentSettings } from '../shared/aws/settings.ts';

/**
 * A client for operations on tables: the SDK's client, with the settings of the service's own one, which has operations
 * on items alone.
 */
export const tablesClient = (): DynamoDBClient =>
  new DynamoDBClient({ ...currentSettings(), credentials: dynamoDb().config.credentials });
