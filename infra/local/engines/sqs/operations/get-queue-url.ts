import { operation, queueAt, queueUrl } from '../sqs.ts';

/** Finds a queue by name. Source: SQS API Reference "GetQueueUrl". */
export const getQueueUrl = operation<{ QueueName?: string; QueueOwnerAWSAccountId?: string }>(
  ['QueueName', 'QueueOwnerAWSAccountId'],
  (sqs, { QueueName: name }) => ({ QueueUrl: queueUrl(sqs, queueAt(sqs, name).name) }),
);
