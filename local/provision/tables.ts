import type * as sdk from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentSettings } from '../../shared/aws/clients/settings.ts';
import { Command, DynamoDBClient } from '../../shared/aws/dynamodb/client.ts';

/** Creates a table. Source: Amazon DynamoDB API Reference, CreateTable. */
export class CreateTableCommand extends Command<sdk.CreateTableCommandInput, sdk.CreateTableCommandOutput> {
  readonly operation = 'CreateTable';
}

/** Describes a table. Source: Amazon DynamoDB API Reference, DescribeTable. */
export class DescribeTableCommand extends Command<
  sdk.DescribeTableCommandInput,
  sdk.DescribeTableCommandOutput
> {
  readonly operation = 'DescribeTable';
}

/** Adds an index or a stream to a table. Source: Amazon DynamoDB API Reference, UpdateTable. */
export class UpdateTableCommand extends Command<sdk.UpdateTableCommandInput, sdk.UpdateTableCommandOutput> {
  readonly operation = 'UpdateTable';
}

/** Names the attribute by which items expire. Source: Amazon DynamoDB API Reference, UpdateTimeToLive. */
export class UpdateTimeToLiveCommand extends Command<
  sdk.UpdateTimeToLiveCommandInput,
  sdk.UpdateTimeToLiveCommandOutput
> {
  readonly operation = 'UpdateTimeToLive';
}

/**
 * A client for operations on tables, with the settings of the client of the service. `npm start` does not load the
 * SDK's client, which would take memory as long as the process runs.
 */
export const tablesClient = (): DynamoDBClient =>
  new DynamoDBClient({ ...currentSettings(), credentials: dynamoDb().config.credentials });
