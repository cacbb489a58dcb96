import { join } from 'node:path';
import { withMaven } from '../install.ts';
import { type Engine, JAVA, REGION } from '../place.ts';

/** SQS in memory. Its queue URLs contain the address on which it listens. */
export const elasticMq: Engine = {
  name: 'elasticmq',
  version: '1.7.1',
  install: (folder) => withMaven('elasticmq', folder),
  program: ({ port, programs }) => ({
    command: 'java',
    args: [
      ...JAVA,
      `-Drest-sqs.bind-port=${port}`,
      '-Drest-sqs.bind-hostname=127.0.0.1',
      `-Dnode-address.port=${port}`,
      '-Dnode-address.host=127.0.0.1',
      '-Drest-stats.enabled=false',
      `-Daws.region=${REGION}`,
      ...['-cp', join(programs, '*')],
      'org.elasticmq.server.Main',
    ],
  }),
};
