import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, queueUrl, type Sqs, type SqsRequest } from '../sqs.ts';

/** Finds a queue by name. Source: SQS API Reference "GetQueueUrl". */
export const getQueueUrl = jsonOperation('QueueName', (sqs: Sqs, { QueueName: name }: SqsRequest) => ({
  QueueUrl: queueUrl(sqs, queueAt(sqs, name).name),
}));
