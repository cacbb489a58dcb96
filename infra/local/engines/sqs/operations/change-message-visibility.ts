import { Fault } from '../../fault.ts';
import { badParameter, operation, queueAt } from '../sqs.ts';

interface ChangeMessageVisibilityRequest {
  QueueUrl?: string;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
}

/** Hides a received message longer, or shows it at once with 0 s. Source: SQS API Reference "ChangeMessageVisibility". */
export const changeMessageVisibility = operation<ChangeMessageVisibilityRequest>(
  ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
  (sqs, { QueueUrl: url, ReceiptHandle: receipt = '', VisibilityTimeout: seconds = -1 }) => {
    const queue = queueAt(sqs, url);
    if (!(seconds >= 0 && seconds <= 43_200)) {
      throw badParameter(
        `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds].`,
      );
    }
    const now = sqs.clock();
    const { changes } = sqs.storage.run(
      'UPDATE msg SET visible_at = ? WHERE receipt = ? AND queue = ? AND visible_at > ?',
      now + seconds * 1000,
      receipt,
      queue.id,
      now,
    );
    if (changes === 0) throw new Fault('MessageNotInflight', 'The message referred to is not in flight.');
    sqs.arrivals.arrived(queue.id);
    return {};
  },
);
