import { Fault, notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { findQueue, type Queue, queueUrl, type Sqs } from '../sqs.ts';

interface CreateQueueRequest {
  QueueName?: string;
  Attributes?: Partial<Queue['attributes']>;
}

/** Creates a standard queue; again with the same attributes is no error. Source: SQS API Reference "CreateQueue". */
export const createQueue = jsonOperation(
  'QueueName Attributes',
  (sqs: Sqs, { QueueName: name = '', Attributes: attributes = {} }: CreateQueueRequest) => {
    if (name.endsWith('.fifo')) throw notImplemented('SQS FIFO queues');
    if (!/^[A-Za-z0-9_-]{1,80}$/.test(name)) {
      throw new Fault(
        'InvalidParameterValue',
        'QueueName is 1 to 80 letters, digits, hyphens and underscores',
      );
    }
    const { VisibilityTimeout: timeout, RedrivePolicy: policy, ...others } = attributes;
    for (const attribute of Object.keys(others)) throw notImplemented(`SQS queue attribute ${attribute}`);
    const { attributes: known } = findQueue(sqs, name) ?? {};
    if (known === undefined) {
      sqs.storage.run(
        'INSERT INTO queue (name, created, attributes) VALUES (?, ?, ?)',
        name,
        sqs.clock(),
        JSON.stringify(attributes),
      );
    } else if (
      (timeout ?? known.VisibilityTimeout) !== known.VisibilityTimeout ||
      (policy ?? known.RedrivePolicy) !== known.RedrivePolicy
    ) {
      throw new Fault('QueueNameExists', 'A queue of this name already exists with other attributes');
    }
    return { QueueUrl: queueUrl(sqs, name) };
  },
);
