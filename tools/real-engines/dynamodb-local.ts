import { join } from 'node:path';
import { withMaven } from './install.ts';
import { type Engine, JAVA } from './place.ts';

/**
 * AWS's own DynamoDB for one machine: a database for each access key. It cannot be told an address: it listens on all.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB local usage notes".
 */
export const dynamoDbLocal: Engine = {
  name: 'dynamodb-local',
  version: '3.1.0',
  install: (folder) => withMaven('dynamodb-local', folder),
  program: ({ port, programs }) => ({
    command: 'java',
    args: [
      ...JAVA,
      `-Djava.library.path=${programs}`,
      ...['-cp', join(programs, '*')],
      'software.amazon.dynamodb.services.local.main.ServerRunner',
      ...['-inMemory', '-disableTelemetry', '-port', String(port)],
    ],
  }),
};
