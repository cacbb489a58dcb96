import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Engines } from '../../engines/engines.ts';
import type { Credentials } from '../../engines/signature.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { dynamoDbCredentials, type Endpoints } from '../endpoints.ts';
import { names } from '../provision/names.ts';
import { embeddedChanges } from './embedded-changes.ts';
import { StreamPositions } from './stream-positions.ts';
import type { ChangeSource } from './stream-reader.ts';

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
  const { RemoteChanges } = await import('./remote-changes.ts');
  const credentials = dynamoDbCredentials(process.env, aws.credentials);
  const client = new DynamoDBStreamsClient({ ...aws, endpoint, credentials });
  const positions = new StreamPositions(
    join(directory, reader === undefined ? POSITIONS : `${reader}-${POSITIONS}`),
  );
  const tables = dynamoDb();
  const sources: ChangeSource[] = [];
  for (const TableName of stored) {
    const describe = new DescribeTableCommand({ TableName });
    const { Table } = await tables.send(describe);
    sources.push(new RemoteChanges(client, Table?.LatestStreamArn as string, positions));
  }
  return sources;
}
