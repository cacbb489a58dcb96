import { type Queue, queueAt, type Sqs } from './sqs.ts';

/** A stored message. Times in milliseconds since 1970. */
export interface Message {
  id: number;
  message_id: string;
  sent_at: number;
  received_at: number | null;
  receive_count: number;
  receipt: string | null;
  body: string;
  group_id: string | null;
}

/** AWS's default. Source: SQS API Reference "CreateQueue", MessageRetentionPeriod. */
const FOUR_DAYS = 345_600_000;

/**
 * Takes up to `limit` visible messages and hides them for `hidden` milliseconds. A message received as often
 * as the redrive policy allows moves to the dead-letter queue instead.
 */
export function take(sqs: Sqs, queue: Queue, limit: number, hidden: number): Message[] {
  const { storage, clock } = sqs;
  const { deadLetterTargetArn: target, maxReceiveCount: receives } = JSON.parse(
    queue.attributes.RedrivePolicy ?? '{}',
  ) as { deadLetterTargetArn?: string; maxReceiveCount?: number };
  const taken: Message[] = [];
  const moved = new Set<number>();
  storage.transaction(() => {
    const now = clock();
    storage.run('DELETE FROM msg WHERE queue = ? AND sent_at <= ?', queue.id, now - FOUR_DAYS);
    while (taken.length < limit) {
      const message = storage.get<Message>(
        'SELECT * FROM msg WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, id LIMIT 1',
        queue.id,
        now,
      );
      if (!message) return;
      if (target !== undefined && message.receive_count >= Number(receives)) {
        const { id } = queueAt(sqs, target);
        const move = 'UPDATE msg SET queue = ?, visible_at = ?, receipt = NULL WHERE id = ?';
        storage.run(move, id, now, message.id);
        moved.add(id);
      } else taken.push(hide(sqs, message, now, hidden));
    }
  });
  for (const id of moved) sqs.arrivals.arrived(id);
  return taken;
}

function hide({ storage }: Sqs, message: Message, now: number, hidden: number): Message {
  const seen = {
    ...message,
    receipt: crypto.randomUUID(),
    received_at: message.received_at ?? now,
    receive_count: message.receive_count + 1,
  };
  storage.run(
    'UPDATE msg SET receipt = ?, received_at = ?, receive_count = ?, visible_at = ? WHERE id = ?',
    seen.receipt,
    seen.received_at,
    seen.receive_count,
    // With a timeout of zero the message stays visible, but one call must not take it twice.
    now + Math.max(hidden, 1),
    message.id,
  );
  return seen;
}

/** When the queue's next hidden or delayed message becomes visible; undefined if there is none. */
export function nextVisible({ storage }: Sqs, queue: Queue): number | undefined {
  return storage.get<{ at: number }>(
    'SELECT visible_at AS at FROM msg WHERE queue = ? ORDER BY visible_at LIMIT 1',
    queue.id,
  )?.at;
}
