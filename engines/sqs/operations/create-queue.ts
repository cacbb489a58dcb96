import { isDeepStrictEqual } from 'node:util';
import { Fault, notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { findQueue, queueUrl, type Sqs, type SqsRequest } from '../sqs.ts';

/**
 * Creates a standard queue. A repeat with the same attributes succeeds. Source: SQS API Reference "CreateQueue".
 */
export const createQueue = jsonOperation(
  'QueueName Attributes',
  (sqs: Sqs, { QueueName: name = '', Attributes: attributes = {} }: SqsRequest) => {
    if (name.endsWith('.fifo')) throw notImplemented('SQS FIFO queues');
    if (!/^[A-Za-z0-9_-]{1,80}$/.test(name)) {
      throw new Fault('InvalidParameterValue', 'QueueName must be 1 to 80 of a-z A-Z 0-9 _ -');
    }
    const unknown = Object.keys(attributes).find((each) => !/^(VisibilityTimeout|RedrivePolicy)$/.test(each));
    if (unknown !== undefined) throw notImplemented(`SQS queue attribute ${unknown}`);
    const known = findQueue(sqs, name)?.attributes;
    if (!known) {
      const insert = 'INSERT INTO queue (name, attributes) VALUES (?, ?)';
      sqs.storage.run(insert, name, JSON.stringify(attributes));
    } else if (!isDeepStrictEqual(known, { ...known, ...attributes })) {
      throw new Fault('QueueNameExists', 'A queue of this name already exists with other attributes');
    }
    return { QueueUrl: queueUrl(sqs, name) };
  },
);
