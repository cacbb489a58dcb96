import { type Outgoing, store } from '../message.ts';
import { operation, queueAt } from '../sqs.ts';

/** Sends one message. Source: SQS API Reference "SendMessage". */
export const sendMessage = operation<Outgoing & { QueueUrl?: string }>(
  ['QueueUrl', 'MessageBody', 'DelaySeconds', 'MessageAttributes', 'MessageGroupId'],
  (sqs, request) => {
    const queue = queueAt(sqs, request.QueueUrl);
    const sent = sqs.storage.transaction(() => store(sqs, queue, request));
    sqs.arrivals.arrived(queue.id);
    return sent;
  },
);
