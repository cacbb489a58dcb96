import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { currentSettings, type Settings } from './settings.ts';

let client: DynamoDBClient | undefined;
let attached: Settings | undefined;

/** DynamoDB's client, made at the first call and again after other settings were attached. */
export function dynamoDb(): DynamoDBClient {
  const settings = currentSettings();
  if (!client || attached !== settings) {
    attached = settings;
    client = new DynamoDBClient({ ...settings, maxAttempts: 3 });
  }
  return client;
}
