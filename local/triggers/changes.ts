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

/** File in the data directory with the read positions in streams of external engines. */
const POSITIONS = 'stream-positions.json';

/** Returns the sources of changes for the resources' tables. */
export async function changesOf(
  registry: readonly Resource[],
  { dynamodb: endpoint }: Endpoints,
  {
    engines,
    directory,
    ...aws
  }: { engines: Engines; directory: string; region: string; credentials: Credentials },
): Promise<ChangeSource[]> {
  if (endpoint === undefined) return embeddedChanges(engines);
  // Loaded on demand: only external engines need a client for streams.
  const { DynamoDBStreamsClient } = await import('@aws-sdk/client-dynamodb-streams');
  const { RemoteChanges } = await import('./remote-changes.ts');
  const credentials = dynamoDbCredentials(process.env, aws.credentials);
  const client = new DynamoDBStreamsClient({ ...aws, endpoint, credentials });
  const positions = new StreamPositions(join(directory, POSITIONS));
  const tables = dynamoDb();
  const sources: ChangeSource[] = [];
  for (const { name } of registry.filter(({ table }) => table)) {
    const describe = new DescribeTableCommand({ TableName: names.table(name) });
    const { Table } = await tables.send(describe);
    sources.push(new RemoteChanges(client, Table?.LatestStreamArn as string, positions));
  }
  return sources;
}
