import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs, type SqsRequest } from '../sqs.ts';

/**
 * Deletes a received message. A superseded receipt handle deletes nothing. Source: SQS API Reference "DeleteMessage".
 */
export const deleteMessage = jsonOperation('QueueUrl ReceiptHandle', (sqs: Sqs, request: SqsRequest) => {
  const { QueueUrl: url, ReceiptHandle: receipt = '' } = request;
  sqs.storage.run('DELETE FROM msg WHERE receipt = ? AND queue = ?', receipt, queueAt(sqs, url).id);
  return {};
});
