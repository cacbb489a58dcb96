import { hasStream } from '../../engines/dynamodb/streams/changes.ts';
import { readRecords } from '../../engines/dynamodb/streams/get-records.ts';
import { parseSequenceNumber } from '../../engines/dynamodb/streams/record.ts';
import type { Table } from '../../engines/dynamodb/tables/table.ts';
import type { Engines } from '../../engines/engines.ts';
import type { ChangeSource } from './stream-reader.ts';

/** Returns the source of changes for each table of the embedded engines that has a stream. */
export const embeddedChanges = (engines: Engines): ChangeSource[] =>
  [...engines.dynamoDb.tables.all()].filter(hasStream).map((table) => changesOf(engines, table));

function changesOf({ dynamoDb, positions }: Engines, table: Table): ChangeSource {
  const stream = table.description.LatestStreamArn as string;
  const changed = dynamoDb.changes.signalOf(table);
  let position = positions.of(stream);
  return {
    stream,
    async next(limit, signal) {
      while (!signal.aborted) {
        const records = readRecords(dynamoDb, stream, position, limit);
        if (records.length > 0) return records;
        // No change can arrive between the read and this call, because there is no pause between them.
        await changed.next(signal);
      }
      return [];
    },
    moveTo({ dynamodb }) {
      position = parseSequenceNumber(dynamodb.SequenceNumber) as number;
      positions.move(stream, position);
    },
  };
}
