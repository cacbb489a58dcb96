import type { S3 } from '../s3.ts';

/**
 * A notification rule of a bucket: events, keys and the ARN of the queue. An empty prefix or suffix matches all keys.
 */
export interface QueueRule {
  id: string;
  queue: string;
  events: readonly string[];
  prefix: string;
  suffix: string;
}

/** The rules of a bucket. */
export function rulesOf({ storage }: S3, bucket: string): readonly QueueRule[] {
  const row = storage.get<{ doc: string }>('SELECT doc FROM notification WHERE bucket = ?', bucket);
  return row ? JSON.parse(row.doc) : [];
}

/** Replaces the rules of a bucket. */
export function setRules({ storage }: S3, bucket: string, rules: readonly QueueRule[]): void {
  const replace = 'INSERT OR REPLACE INTO notification (bucket, doc) VALUES (?, ?)';
  storage.run(replace, bucket, JSON.stringify(rules));
}

/** True if a rule matches an event, such as `ObjectCreated:Put`, of a key. */
export const concerns = ({ events, prefix, suffix }: QueueRule, event: string, key: string): boolean =>
  key.startsWith(prefix) &&
  key.endsWith(suffix) &&
  events.some(
    (one) => one === `s3:${event}` || (one.endsWith('*') && `s3:${event}`.startsWith(one.slice(0, -1))),
  );
