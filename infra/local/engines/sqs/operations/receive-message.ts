import { attributesMd5, type MessageAttribute, md5 } from '../message.ts';
import { type Message, nextVisible, take } from '../receive.ts';
import { badParameter, milliseconds, operation, queueAt } from '../sqs.ts';

interface ReceiveMessageRequest {
  QueueUrl?: string;
  MaxNumberOfMessages?: number;
  VisibilityTimeout?: number;
  WaitTimeSeconds?: number;
  AttributeNames?: string[];
  MessageSystemAttributeNames?: string[];
  MessageAttributeNames?: string[];
}

// Look again at least this often: the engine's clock may be set, which no timer notices.
const LOOK_AGAIN = 1000;

/** Receives messages, waiting for one if asked to. Source: SQS API Reference "ReceiveMessage". */
export const receiveMessage = operation<ReceiveMessageRequest>(
  [
    ...(['QueueUrl', 'MaxNumberOfMessages', 'VisibilityTimeout', 'WaitTimeSeconds'] as const),
    ...(['AttributeNames', 'MessageSystemAttributeNames', 'MessageAttributeNames'] as const),
  ],
  async (sqs, request) => {
    const queue = queueAt(sqs, request.QueueUrl);
    const { MaxNumberOfMessages: limit = 1, VisibilityTimeout: hidden, WaitTimeSeconds: wait } = request;
    if (!(limit >= 1 && limit <= 10)) {
      throw badParameter(
        `Value ${limit} for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.`,
      );
    }
    const hide = hidden === undefined ? milliseconds(queue, 'VisibilityTimeout') : hidden * 1000;
    const patience = wait === undefined ? milliseconds(queue, 'ReceiveMessageWaitTimeSeconds') : wait * 1000;
    const deadline = performance.now() + patience;
    for (;;) {
      if (sqs.arrivals.closed) return {};
      const messages = take(sqs, queue, limit, hide);
      if (messages.length > 0) return { Messages: messages.map((message) => render(message, request)) };
      const left = deadline - performance.now();
      if (left <= 0) return {};
      const due = (nextVisible(sqs, queue) ?? Number.POSITIVE_INFINITY) - sqs.clock();
      await sqs.arrivals.wait(queue.id, Math.max(1, Math.min(left, due, LOOK_AGAIN)));
    }
  },
);

function render(message: Message, request: ReceiveMessageRequest): object {
  const system = systemAttributes(message, [
    ...(request.AttributeNames ?? []),
    ...(request.MessageSystemAttributeNames ?? []),
  ]);
  const asked = request.MessageAttributeNames ?? [];
  const wanted = (name: string): boolean =>
    asked.some(
      (each) =>
        each === 'All' ||
        each === '.*' ||
        each === name ||
        (each.endsWith('.*') && name.startsWith(each.slice(0, -2))),
    );
  const attributes = Object.fromEntries(
    Object.entries(JSON.parse(message.attributes) as Record<string, MessageAttribute>).filter(([name]) =>
      wanted(name),
    ),
  );
  return {
    MessageId: message.message_id,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: md5(message.body),
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(Object.keys(attributes).length > 0 && {
      MessageAttributes: attributes,
      ...attributesMd5(attributes),
    }),
  };
}

function systemAttributes(message: Message, names: string[]): Record<string, string> {
  const all = {
    SenderId: 'AIDAEMBEDDED',
    SentTimestamp: String(message.sent_at),
    ApproximateReceiveCount: String(message.receive_count),
    ApproximateFirstReceiveTimestamp: String(message.received_at),
    ...(message.group_id !== null && { MessageGroupId: message.group_id }),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name)),
  );
}
