import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs } from '../sqs.ts';

/**
 * Deletes a received message. A receipt that has been superseded deletes nothing and is no error.
 *
 * Source: SQS API Reference "DeleteMessage".
 */
export const deleteMessage = jsonOperation(
  'QueueUrl ReceiptHandle',
  (
    sqs: Sqs,
    { QueueUrl: url, ReceiptHandle: receipt = '' }: { QueueUrl?: string; ReceiptHandle?: string },
  ) => {
    sqs.storage.run('DELETE FROM msg WHERE receipt = ? AND queue = ?', receipt, queueAt(sqs, url).id);
    return {};
  },
);
