import { Fault, invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import type { Table } from '../tables/table.ts';
import { parseSequenceNumber } from './record.ts';
import { iteratorAt, SHARD, tableOfStream } from './shard.ts';

interface GetShardIteratorRequest {
  StreamArn?: string;
  ShardId?: string;
  ShardIteratorType?: string;
  SequenceNumber?: string;
}

/**
 * Returns an iterator for a position. Source: DynamoDB Streams API Reference "GetShardIterator". @throws
 * TrimmedDataAccessException
 */
export const getShardIterator = jsonOperation(
  'StreamArn ShardId ShardIteratorType SequenceNumber',
  (database: DynamoDb, request: GetShardIteratorRequest) => {
    const table = tableOfStream(database.tables, request.StreamArn);
    if (request.ShardId !== SHARD) throw new Fault('ResourceNotFoundException', 'Shard does not exist');
    const seq = placeOf(database, table, request);
    return { ShardIterator: iteratorAt(request.StreamArn as string, seq, database.storage.now()) };
  },
);

function placeOf({ changes }: DynamoDb, table: Table, request: GetShardIteratorRequest): number {
  const { ShardIteratorType: type, SequenceNumber: text } = request;
  if (type === 'TRIM_HORIZON') return 0;
  if (type === 'LATEST') return changes.last;
  if (type !== 'AT_SEQUENCE_NUMBER' && type !== 'AFTER_SEQUENCE_NUMBER')
    throw invalid(`ShardIteratorType ${type} is unknown`);
  const seq = parseSequenceNumber(text);
  if (seq === undefined) throw invalid('Invalid SequenceNumber');
  if (!changes.has(table, seq))
    throw new Fault('TrimmedDataAccessException', 'The record of that number is trimmed');
  return type === 'AT_SEQUENCE_NUMBER' ? seq - 1 : seq;
}
