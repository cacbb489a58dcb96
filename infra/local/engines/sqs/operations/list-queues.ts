import { operation, queueUrl } from '../sqs.ts';

/** Lists up to 1000 queues by name. Source: SQS API Reference "ListQueues". */
export const listQueues = operation<{ QueueNamePrefix?: string }>(
  ['QueueNamePrefix'],
  (sqs, { QueueNamePrefix: prefix = '' }) => ({
    QueueUrls: sqs.storage
      .all<{ name: string }>('SELECT name FROM queue ORDER BY name LIMIT 1000')
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name }) => queueUrl(sqs, name)),
  }),
);
