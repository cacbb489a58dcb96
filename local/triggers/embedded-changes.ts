import { hasStream } from '../../engines/dynamodb/streams/changes.ts';
import { readRecords } from '../../engines/dynamodb/streams/get-records.ts';
import { parseSequenceNumber } from '../../engines/dynamodb/streams/record.ts';
import type { Table } from '../../engines/dynamodb/tables/table.ts';
import type { Engines } from '../../engines/engines.ts';
import type { ChangeSource } from './stream-reader.ts';

/** A second reader of streams: the name of its positions, and the tables that it reads. */
interface Reader {
  readonly name: string;
  readonly tables: readonly string[];
}

/**
 * Returns the source of changes for each table of the embedded engines that has a stream. `reader` has positions of its
 * own.
 */
export const embeddedChanges = (engines: Engines, reader?: Reader): ChangeSource[] =>
  [...engines.dynamoDb.tables.all()].filter(hasStream).flatMap((table) => {
    const isRead = !reader || reader.tables.includes(table.description.TableName);
    return isRead ? [changesOf(engines, table, reader)] : [];
  });

function changesOf({ dynamoDb, positions }: Engines, table: Table, reader: Reader | undefined): ChangeSource {
  const stream = table.description.LatestStreamArn as string;
  const place = reader ? `${reader.name} of ${stream}` : stream;
  const changed = dynamoDb.changes.signalOf(table);
  let position = positions.of(place);
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
      positions.move(place, position);
    },
  };
}
