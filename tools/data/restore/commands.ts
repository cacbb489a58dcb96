import type * as sdk from '@aws-sdk/client-dynamodb';
import { Command } from '../../../shared/aws/dynamodb/client.ts';

/** The input of RestoreTableToPointInTime. The time is in seconds since the epoch, as on the wire. */
interface Restoration {
  readonly SourceTableName: string;
  readonly TargetTableName: string;
  readonly RestoreDateTime: number;
}

/** Restores a table as a new one. Source: Amazon DynamoDB API Reference, RestoreTableToPointInTime. */
export class RestoreTableCommand extends Command<Restoration, sdk.RestoreTableToPointInTimeCommandOutput> {
  readonly operation = 'RestoreTableToPointInTime';
}

/** Enables point-in-time recovery. Source: Amazon DynamoDB API Reference, UpdateContinuousBackups. */
export class UpdateContinuousBackupsCommand extends Command<
  sdk.UpdateContinuousBackupsCommandInput,
  sdk.UpdateContinuousBackupsCommandOutput
> {
  readonly operation = 'UpdateContinuousBackups';
}
