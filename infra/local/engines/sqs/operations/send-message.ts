import { createHash } from 'node:crypto';
import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs, within } from '../sqs.ts';

interface SendMessageRequest {
  QueueUrl?: string;
  MessageBody?: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
}

/** Largest message in bytes. Source: SQS Developer Guide "Amazon SQS message quotas". */
const MAX_BYTES = 1024 * 1024;
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Sends one message, and wakes who waits for it. Source: SQS API Reference "SendMessage". */
export const sendMessage = jsonOperation(
  'QueueUrl MessageBody DelaySeconds MessageGroupId',
  (sqs: Sqs, request: SendMessageRequest) => {
    const {
      QueueUrl: url,
      MessageBody: body,
      DelaySeconds: delay = 0,
      MessageGroupId: group = null,
    } = request;
    const queue = queueAt(sqs, url);
    if (!body) throw new Fault('MissingParameter', 'The request must contain the parameter MessageBody.');
    if (NOT_XML.test(body)) throw new Fault('InvalidMessageContents', 'Invalid characters found.');
    within('The number of bytes of MessageBody', Buffer.byteLength(body), 1, MAX_BYTES);
    const now = sqs.clock();
    const visible = now + within('DelaySeconds', delay, 0, 900) * 1000;
    const id = crypto.randomUUID();
    sqs.storage.run(
      'INSERT INTO msg (message_id, queue, visible_at, sent_at, body, group_id) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      queue.id,
      visible,
      now,
      body,
      group,
    );
    sqs.arrivals.arrived(queue.id);
    return { MessageId: id, MD5OfMessageBody: createHash('md5').update(body).digest('hex') };
  },
);
