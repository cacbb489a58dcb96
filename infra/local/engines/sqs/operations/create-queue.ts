import { Fault, notImplemented } from '../../fault.ts';
import { badParameter, findQueue, operation, queueUrl } from '../sqs.ts';

interface CreateQueueRequest {
  QueueName?: string;
  Attributes?: Record<string, string>;
  tags?: Record<string, string>;
}

const KNOWN = new Set([
  ...['VisibilityTimeout', 'MessageRetentionPeriod', 'DelaySeconds', 'ReceiveMessageWaitTimeSeconds'],
  ...['RedrivePolicy', 'RedriveAllowPolicy', 'MaximumMessageSize', 'SqsManagedSseEnabled', 'Policy'],
]);

/** Creates a standard queue; again with the same attributes is no error. Source: SQS API Reference "CreateQueue". */
export const createQueue = operation<CreateQueueRequest>(
  ['QueueName', 'Attributes', 'tags'],
  (sqs, { QueueName: name = '', Attributes: attributes = {} }) => {
    if (name.endsWith('.fifo')) throw notImplemented('SQS FIFO queues');
    if (!/^[A-Za-z0-9_-]{1,80}$/.test(name)) {
      throw badParameter(
        'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
      );
    }
    for (const attribute of Object.keys(attributes)) {
      if (!KNOWN.has(attribute)) throw notImplemented(`SQS queue attribute ${attribute}`);
    }
    const existing = findQueue(sqs, name);
    if (existing && Object.entries(attributes).some(([key, value]) => existing.attributes[key] !== value)) {
      throw new Fault(
        'QueueNameExists',
        'A queue already exists with the same name and a different value for an attribute',
      );
    }
    if (!existing) {
      sqs.storage.run(
        'INSERT INTO queue (name, created, attributes) VALUES (?, ?, ?)',
        name,
        sqs.clock(),
        JSON.stringify(attributes),
      );
    }
    return { QueueUrl: queueUrl(sqs, name) };
  },
);
