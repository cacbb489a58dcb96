import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { hasStream } from './changes.ts';

/** Lists all streams in one page. Source: DynamoDB Streams API Reference "ListStreams". */
export const listStreams = jsonOperation(
  'TableName',
  ({ tables }: DynamoDb, request: { TableName?: string }) => ({
    Streams: [...tables.all()]
      .filter(hasStream)
      .map(({ description: { TableName, LatestStreamArn, LatestStreamLabel } }) => ({
        StreamArn: LatestStreamArn,
        TableName,
        StreamLabel: LatestStreamLabel,
      }))
      .filter(({ TableName }) => request.TableName === undefined || TableName === request.TableName),
  }),
);
