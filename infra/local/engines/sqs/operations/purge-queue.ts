import { operation, queueAt } from '../sqs.ts';

/** Deletes every message of a queue. Source: SQS API Reference "PurgeQueue". */
export const purgeQueue = operation<{ QueueUrl?: string }>(['QueueUrl'], (sqs, { QueueUrl: url }) => {
  sqs.storage.run('DELETE FROM msg WHERE queue = ?', queueAt(sqs, url).id);
  return {};
});
