import { type BatchEntry, eachEntry } from '../batch.ts';
import { operation, queueAt } from '../sqs.ts';

interface DeleteMessageBatchRequest {
  QueueUrl?: string;
  Entries?: (BatchEntry & { ReceiptHandle: string })[];
}

/** Deletes up to ten received messages. Source: SQS API Reference "DeleteMessageBatch". */
export const deleteMessageBatch = operation<DeleteMessageBatchRequest>(
  ['QueueUrl', 'Entries'],
  (sqs, { QueueUrl: url, Entries: entries }) => {
    const queue = queueAt(sqs, url);
    return sqs.storage.transaction(() =>
      eachEntry(entries, ({ ReceiptHandle: receipt }) => {
        sqs.storage.run('DELETE FROM msg WHERE receipt = ? AND queue = ?', receipt, queue.id);
        return {};
      }),
    );
  },
);
