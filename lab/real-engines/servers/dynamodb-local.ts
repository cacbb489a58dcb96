import { join } from 'node:path';
import { withMaven } from '../install.ts';
import { type Engine, JAVA } from '../place.ts';

/**
 * DynamoDB Local of AWS, with one database for each access key. It has no option for the address and listens on all
 * addresses.
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
