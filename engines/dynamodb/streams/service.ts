import type { JsonService } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { describeStream } from './describe-stream.ts';
import { getRecords } from './get-records.ts';
import { getShardIterator } from './get-shard-iterator.ts';

/** DynamoDB Streams on the wire. Source: DynamoDB Developer Guide "DynamoDB low-level API", DynamoDB Streams. */
export const dynamoDbStreamsService: JsonService<DynamoDb> = {
  name: 'DynamoDB Streams',
  namespace: 'com.amazonaws.dynamodb.v20120810',
  operations: {
    DescribeStream: describeStream,
    GetRecords: getRecords,
    GetShardIterator: getShardIterator,
  },
};
