import { type Queue, queueAt, type Sqs } from './sqs.ts';

/** A message in its stored form, which is also the wire form. */
export interface Message {
  MessageId: string;
  MD5OfBody: string;
  Body: string;
  ReceiptHandle?: string;
  Attributes: Record<string, string>;
}

/**
 * Takes up to `limit` visible messages and hides them for `hidden` milliseconds. If a message has reached the maximum
 * number of receives, it moves to the dead-letter queue.
 */
export function take(sqs: Sqs, queue: Queue, limit: number, hidden: number): Message[] {
  const { storage } = sqs;
  const policy: Record<string, string> = JSON.parse(queue.attributes.RedrivePolicy ?? '{}');
  const first = 'SELECT * FROM msg WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, id LIMIT 1';
  const taken: Message[] = [];
  return storage.transaction(() => {
    const now = storage.now();
    while (taken.length < limit) {
      const visible = storage.get<{ id: number; doc: string }>(first, queue.id, now);
      if (!visible) break;
      const message: Message = JSON.parse(visible.doc);
      if (Number(message.Attributes.ApproximateReceiveCount) >= Number(policy.maxReceiveCount)) {
        const dead = queueAt(sqs, policy.deadLetterTargetArn);
        const move = 'UPDATE msg SET queue = ?, visible_at = ?, receipt = NULL WHERE id = ?';
        storage.run(move, dead.id, now, visible.id);
        sqs.arrivals.arrived();
      } else {
        const received = receipted(message, now);
        const hide = 'UPDATE msg SET receipt = ?, visible_at = ?, doc = ? WHERE id = ?';
        // With a timeout of zero, the message stays visible. One call must still not return it twice.
        const until = now + Math.max(hidden, 1);
        storage.run(hide, received.ReceiptHandle, until, JSON.stringify(received), visible.id);
        taken.push(received);
      }
    }
    return taken;
  });
}

function receipted(message: Message, now: number): Message & { ReceiptHandle: string } {
  const count = Number(message.Attributes.ApproximateReceiveCount) + 1;
  const Attributes = {
    ApproximateFirstReceiveTimestamp: String(now),
    ...message.Attributes,
    ApproximateReceiveCount: String(count),
  };
  return { ...message, ReceiptHandle: crypto.randomUUID(), Attributes };
}

/** Returns the time at which the queue's next hidden or delayed message becomes visible. */
export function nextVisible({ storage }: Sqs, { id }: Queue): number {
  const select = 'SELECT min(visible_at) AS at FROM msg WHERE queue = ?';
  return storage.get<{ at: number | null }>(select, id)?.at ?? Number.POSITIVE_INFINITY;
}
