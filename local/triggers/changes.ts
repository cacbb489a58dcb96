import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  type Credentials,
  type Engines,
  hasStream,
  parseSequenceNumber,
  readRecords,
  type Table,
} from 'embedded-aws';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { dynamoDbCredentials, type Endpoints } from '../endpoints.ts';
import { names } from '../provision/names.ts';
import type { ChangeSource } from './stream-pump.ts';

/** End of the file in the data directory with the read positions in streams of external engines. */
const POSITIONS = 'stream-positions.json';

/**
 * Returns the sources of changes for the resources' tables. `reader`: the name of a second reader of the streams, which
 * has positions of its own.
 */
export async function changesOf(
  registry: readonly Resource[],
  { dynamodb: endpoint }: Endpoints,
  {
    engines,
    directory,
    ...aws
  }: { engines: Engines; directory: string; region: string; credentials: Credentials },
  reader?: string,
): Promise<ChangeSource[]> {
  const stored = registry.filter(({ table }) => table).map(({ name }) => names.table(name));
  if (endpoint === undefined)
    return embeddedChanges(engines, reader === undefined ? undefined : { name: reader, tables: stored });
  // Loaded on demand: only external engines need a client for streams.
  const { DynamoDBStreamsClient } = await import('@aws-sdk/client-dynamodb-streams');
  const { RemoteChanges, StreamPositions } = await import('./remote-changes.ts');
  const credentials = dynamoDbCredentials(process.env, aws.credentials);
  const client = new DynamoDBStreamsClient({ ...aws, endpoint, credentials });
  const file = reader === undefined ? POSITIONS : `${reader}-${POSITIONS}`;
  const positions = new StreamPositions(join(directory, file));
  const sources: ChangeSource[] = [];
  for (const TableName of stored) {
    const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName }));
    sources.push(new RemoteChanges(client, Table?.LatestStreamArn as string, positions));
  }
  return sources;
}

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
    return isRead ? [sourceOf(engines, table, reader)] : [];
  });

function sourceOf({ dynamoDb, positions }: Engines, table: Table, reader: Reader | undefined): ChangeSource {
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
