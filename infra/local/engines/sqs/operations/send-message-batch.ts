import { Fault } from '../../fault.ts';
import { type BatchEntry, eachEntry } from '../batch.ts';
import { MAX_BYTES, messageSize, type Outgoing, store } from '../message.ts';
import { operation, queueAt } from '../sqs.ts';

interface SendMessageBatchRequest {
  QueueUrl?: string;
  Entries?: (Outgoing & BatchEntry)[];
}

/** Sends up to ten messages, together at most 1 MiB. Source: SQS API Reference "SendMessageBatch". */
export const sendMessageBatch = operation<SendMessageBatchRequest>(
  ['QueueUrl', 'Entries'],
  (sqs, { QueueUrl: url, Entries: entries = [] }) => {
    const queue = queueAt(sqs, url);
    const bytes = entries.reduce((sum, entry) => sum + messageSize(entry), 0);
    if (bytes > MAX_BYTES) {
      throw new Fault(
        'BatchRequestTooLong',
        `Batch requests cannot be longer than ${MAX_BYTES} bytes. You have sent ${bytes} bytes.`,
      );
    }
    const answer = sqs.storage.transaction(() => eachEntry(entries, (entry) => store(sqs, queue, entry)));
    sqs.arrivals.arrived(queue.id);
    return answer;
  },
);
