import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { sequenceNumber } from './record.ts';
import { SHARD, tableOfStream } from './shard.ts';

/** Describes a stream and its one shard. Source: DynamoDB Streams API Reference "DescribeStream". */
export const describeStream = jsonOperation(
  'StreamArn',
  ({ tables }: DynamoDb, request: { StreamArn?: string }) => {
    const { description } = tableOfStream(tables, request.StreamArn);
    const { TableName, KeySchema, LatestStreamArn, LatestStreamLabel, StreamSpecification } = description;
    return {
      StreamDescription: {
        StreamArn: LatestStreamArn,
        StreamLabel: LatestStreamLabel,
        StreamStatus: 'ENABLED',
        StreamViewType: StreamSpecification?.StreamViewType,
        CreationRequestDateTime: Date.parse(`${LatestStreamLabel}Z`) / 1000,
        TableName,
        KeySchema,
        Shards: [{ ShardId: SHARD, SequenceNumberRange: { StartingSequenceNumber: sequenceNumber(0) } }],
      },
    };
  },
);
