import { createHash } from 'node:crypto';
import type { Message } from './receive.ts';
import type { Queue, Sqs } from './sqs.ts';

/**
 * Puts a message into a queue, visible after `delay` milliseconds, and wakes waiting polls. Inside a transaction, the
 * message is part of it.
 */
export function enqueue(
  { storage, arrivals }: Pick<Sqs, 'storage' | 'arrivals'>,
  queue: Queue,
  body: string,
  { delay = 0, group }: { delay?: number; group?: string } = {},
): Message {
  const now = storage.now();
  const message: Message = {
    MessageId: crypto.randomUUID(),
    MD5OfBody: createHash('md5').update(body).digest('hex'),
    Body: body,
    Attributes: {
      SentTimestamp: String(now),
      ApproximateReceiveCount: '0',
      ...(group !== undefined && { MessageGroupId: group }),
    },
  };
  const insert = 'INSERT INTO msg (queue, visible_at, doc) VALUES (?, ?, ?)';
  storage.run(insert, queue.id, now + delay, JSON.stringify(message));
  arrivals.arrived();
  return message;
}
