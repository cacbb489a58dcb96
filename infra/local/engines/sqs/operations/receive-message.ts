import { createHash } from 'node:crypto';
import { jsonOperation } from '../../json-protocol.ts';
import { type Message, nextVisible, take } from '../receive.ts';
import { queueAt, type Sqs, within } from '../sqs.ts';

interface ReceiveMessageRequest {
  QueueUrl?: string;
  MaxNumberOfMessages?: number;
  VisibilityTimeout?: number;
  WaitTimeSeconds?: number;
  MessageSystemAttributeNames?: string[];
}

// Look again at least this often: the engine's clock may be set, which no timer notices.
const LOOK_AGAIN = 1000;

/** Receives messages, waiting for one if asked to. Source: SQS API Reference "ReceiveMessage". */
export const receiveMessage = jsonOperation(
  'QueueUrl MaxNumberOfMessages VisibilityTimeout WaitTimeSeconds MessageSystemAttributeNames',
  async (sqs: Sqs, request: ReceiveMessageRequest) => {
    const queue = queueAt(sqs, request.QueueUrl);
    const limit = within('MaxNumberOfMessages', request.MaxNumberOfMessages ?? 1, 1, 10);
    const seconds = request.VisibilityTimeout ?? Number(queue.attributes.VisibilityTimeout);
    const hidden = within('VisibilityTimeout', seconds, 0, 43_200) * 1000;
    const patience = within('WaitTimeSeconds', request.WaitTimeSeconds ?? 0, 0, 20) * 1000;
    const deadline = performance.now() + patience;
    for (;;) {
      if (sqs.arrivals.closed) return {};
      const messages = take(sqs, queue, limit, hidden);
      const names = request.MessageSystemAttributeNames ?? [];
      if (messages.length > 0) return { Messages: messages.map((message) => render(message, names)) };
      const left = deadline - performance.now();
      if (left <= 0) return {};
      const due = (nextVisible(sqs, queue) ?? Number.POSITIVE_INFINITY) - sqs.clock();
      await sqs.arrivals.wait(queue.id, Math.max(1, Math.min(left, due, LOOK_AGAIN)));
    }
  },
);

function render(message: Message, names: readonly string[]): object {
  const all = {
    SentTimestamp: String(message.sent_at),
    ApproximateReceiveCount: String(message.receive_count),
    ApproximateFirstReceiveTimestamp: String(message.received_at),
    ...(message.group_id !== null && { MessageGroupId: message.group_id }),
  };
  const isAsked = ([name]: [string, unknown]) => names.includes('All') || names.includes(name);
  const attributes = Object.entries(all).filter(isAsked);
  return {
    MessageId: message.message_id,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: createHash('md5').update(message.body).digest('hex'),
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
  };
}
