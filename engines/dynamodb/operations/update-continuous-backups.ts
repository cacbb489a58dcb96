import { notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';

interface BackupsRequest {
  readonly TableName?: string;
  readonly PointInTimeRecoverySpecification?: { readonly PointInTimeRecoveryEnabled?: boolean };
}

/** Enables the recovery that each table has here. Source: DynamoDB API Reference "UpdateContinuousBackups". */
export const updateContinuousBackups = jsonOperation(
  'TableName PointInTimeRecoverySpecification',
  ({ tables }: DynamoDb, { TableName, PointInTimeRecoverySpecification: wanted }: BackupsRequest) => {
    tables.named(TableName);
    if (!wanted?.PointInTimeRecoveryEnabled)
      throw notImplemented('DynamoDB UpdateContinuousBackups to disable the recovery');
    return {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' },
      },
    };
  },
);
