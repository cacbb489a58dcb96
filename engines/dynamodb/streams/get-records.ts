import { invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { parseSequenceNumber, recordOf, type StreamRecord } from './record.ts';
import { iteratorAt, readIterator, tableOfStream } from './shard.ts';

/** Source: DynamoDB Streams API Reference "GetRecords": at most 1,000 records and 1 MB. */
const MAXIMUM_RECORDS = 1000;
const MAXIMUM_BYTES = 1024 * 1024;

/** Reads from a position. An empty response means that there are no newer records. */
export const getRecords = jsonOperation(
  'ShardIterator Limit',
  (database: DynamoDb, request: { ShardIterator?: string; Limit?: number }) => {
    const { Limit: limit = MAXIMUM_RECORDS } = request;
    if (!(limit >= 1 && limit <= MAXIMUM_RECORDS)) throw invalid(`Limit must be 1 to ${MAXIMUM_RECORDS}`);
    const now = database.storage.now();
    const { arn, seq } = readIterator(request.ShardIterator, now);
    const Records = readRecords(database, arn, seq, limit);
    const last = parseSequenceNumber(Records.at(-1)?.dynamodb.SequenceNumber) ?? seq;
    return { Records, NextShardIterator: iteratorAt(arn, last, now) };
  },
);

/** Returns the records of a stream after the change with that number: at most `limit`, and about 1 MB. */
export function readRecords(
  { tables, changes }: DynamoDb,
  arn: string,
  seq: number,
  limit: number,
): StreamRecord[] {
  const table = tableOfStream(tables, arn);
  const records: StreamRecord[] = [];
  let bytes = 0;
  for (const change of changes.after(table, seq, limit)) {
    const record = recordOf(table, change);
    bytes += record.dynamodb.SizeBytes;
    if (records.length > 0 && bytes > MAXIMUM_BYTES) break;
    records.push(record);
  }
  return records;
}
