import { operation, queueAt } from '../sqs.ts';

/**
 * Deletes a received message. A receipt that has been superseded deletes nothing and is no error.
 *
 * Source: SQS API Reference "DeleteMessage".
 */
export const deleteMessage = operation<{ QueueUrl?: string; ReceiptHandle?: string }>(
  ['QueueUrl', 'ReceiptHandle'],
  (sqs, { QueueUrl: url, ReceiptHandle: receipt = '' }) => {
    sqs.storage.run('DELETE FROM msg WHERE receipt = ? AND queue = ?', receipt, queueAt(sqs, url).id);
    return {};
  },
);
