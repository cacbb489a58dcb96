import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs, within } from '../sqs.ts';

interface ChangeMessageVisibilityRequest {
  QueueUrl?: string;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
}

/** Hides a received message longer, or shows it at once with 0 s. Source: SQS API Reference "ChangeMessageVisibility". */
export const changeMessageVisibility = jsonOperation(
  'QueueUrl ReceiptHandle VisibilityTimeout',
  (sqs: Sqs, request: ChangeMessageVisibilityRequest) => {
    const { QueueUrl: url, ReceiptHandle: receipt = '', VisibilityTimeout: seconds = -1 } = request;
    const { id } = queueAt(sqs, url);
    const now = sqs.clock();
    const { changes } = sqs.storage.run(
      'UPDATE msg SET visible_at = ? WHERE receipt = ? AND queue = ? AND visible_at > ?',
      now + within('VisibilityTimeout', seconds, 0, 43_200) * 1000,
      receipt,
      id,
      now,
    );
    if (changes === 0) throw new Fault('MessageNotInflight', 'The message referred to is not in flight.');
    sqs.arrivals.arrived(id);
    return {};
  },
);
