import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs, type SqsRequest, within } from '../sqs.ts';

/**
 * Hides a received message for longer; 0 s makes it visible at once. Source: SQS API Reference
 * "ChangeMessageVisibility".
 */
export const changeMessageVisibility = jsonOperation(
  'QueueUrl ReceiptHandle VisibilityTimeout',
  (sqs: Sqs, request: SqsRequest) => {
    const { QueueUrl: url, ReceiptHandle: receipt = '', VisibilityTimeout: seconds = -1 } = request;
    const { id } = queueAt(sqs, url);
    const now = sqs.storage.now();
    const until = now + within('VisibilityTimeout', seconds, 0, 43_200) * 1000;
    const update = 'UPDATE msg SET visible_at = ? WHERE receipt = ? AND queue = ? AND visible_at > ?';
    const changed = sqs.storage.run(update, until, receipt, id, now);
    if (changed === 0) throw new Fault('MessageNotInflight', 'The message referred to is not in flight.');
    sqs.arrivals.arrived();
    return {};
  },
);
