import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { enqueue } from '../enqueue.ts';
import { queueAt, type Sqs, type SqsRequest, within } from '../sqs.ts';

/** Maximum size of a message in bytes. Source: SQS Developer Guide "Amazon SQS message quotas". */
const MAXIMUM_BYTES = 1024 * 1024;
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Sends one message and wakes waiting polls. Source: SQS API Reference "SendMessage". */
export const sendMessage = jsonOperation(
  'QueueUrl MessageBody DelaySeconds MessageGroupId',
  (sqs: Sqs, request: SqsRequest) => {
    const { MessageBody: body = '', DelaySeconds: delay = 0, MessageGroupId: group } = request;
    const queue = queueAt(sqs, request.QueueUrl);
    within('The number of bytes of MessageBody', Buffer.byteLength(body), 1, MAXIMUM_BYTES);
    if (NOT_XML.test(body)) throw new Fault('InvalidMessageContents', 'Invalid characters found.');
    const seconds = within('DelaySeconds', delay, 0, 900);
    const message = enqueue(sqs, queue, body, { delay: seconds * 1000, group });
    return { MessageId: message.MessageId, MD5OfMessageBody: message.MD5OfBody };
  },
);
