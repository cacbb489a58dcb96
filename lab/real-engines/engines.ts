/** Starts DynamoDB Local, an S3 server and ElasticMQ. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withGo, withMaven } from './install.ts';
import { CREDENTIALS, type Engine, REGION } from './place.ts';

/** For Java engines that run for minutes. A long compilation never pays off, and the command needs the processors. */
const JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** The real engine of each service. */
export const ENGINES = {
  /**
   * DynamoDB Local of AWS, with one database for each access key. It has no option for the address and listens on all
   * addresses. Source: Amazon DynamoDB Developer Guide, "DynamoDB local usage notes".
   */
  dynamodb: {
    name: 'dynamodb-local',
    version: '3.1.0',
    // Its licence allows use on one's own machines, and no copies for others.
    install: (folder) => withMaven('software.amazon.dynamodb:DynamoDBLocal:3.1.0', folder),
    program: ({ port, programs }) => ({
      command: 'java',
      args: [
        ...[...JAVA, `-Djava.library.path=${programs}`, '-cp', join(programs, '*')],
        'software.amazon.dynamodb.services.local.main.ServerRunner',
        ...['-inMemory', '-disableTelemetry', '-port', String(port)],
      ],
    }),
  },
  /** S3 on a folder. */
  s3: {
    name: 'versitygw',
    version: '1.8.0',
    install: (folder) => withGo('github.com/versity/versitygw/cmd/versitygw@v1.8.0', folder),
    program: ({ port, programs, data, webhook }) => {
      const objects = join(data, 'objects');
      const versions = join(data, 'versions');
      for (const folder of [objects, versions]) mkdirSync(folder);
      return {
        command: join(programs, 'versitygw'),
        args: [
          ...['--port', `127.0.0.1:${port}`, '--region', REGION, '--event-webhook-url', webhook],
          // The same CORS header fields as the embedded engines.
          ...['--cors-allow-origin', '*', '--quiet', 'posix', '--versioning-dir', versions, objects],
        ],
        environment: {
          ROOT_ACCESS_KEY: CREDENTIALS.accessKeyId,
          ROOT_SECRET_KEY: CREDENTIALS.secretAccessKey,
        },
      };
    },
  },
  /** SQS in memory. Its queue URLs contain the address on which it listens. */
  sqs: {
    name: 'elasticmq',
    version: '1.7.1',
    install: (folder) => withMaven('org.elasticmq:elasticmq-server_2.13:1.7.1', folder),
    program: ({ port, programs }) => ({
      command: 'java',
      args: [
        ...[...JAVA, `-Drest-sqs.bind-port=${port}`, '-Drest-sqs.bind-hostname=127.0.0.1'],
        ...[`-Dnode-address.port=${port}`, '-Dnode-address.host=127.0.0.1', '-Drest-stats.enabled=false'],
        ...[`-Daws.region=${REGION}`, '-cp', join(programs, '*'), 'org.elasticmq.server.Main'],
      ],
    }),
  },
} as const satisfies Readonly<Record<string, Engine>>;

/** A service that has a real engine. */
export type Service = keyof typeof ENGINES;
export const SERVICES = Object.keys(ENGINES) as readonly Service[];
