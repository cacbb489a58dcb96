import { operation, queueAt } from '../sqs.ts';

/** Deletes a queue and its messages. Source: SQS API Reference "DeleteQueue". */
export const deleteQueue = operation<{ QueueUrl?: string }>(['QueueUrl'], (sqs, { QueueUrl: url }) => {
  const queue = queueAt(sqs, url);
  sqs.storage.transaction(() => {
    sqs.storage.run('DELETE FROM msg WHERE queue = ?', queue.id);
    sqs.storage.run('DELETE FROM queue WHERE id = ?', queue.id);
  });
  return {};
});
