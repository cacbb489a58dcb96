import type { S3 } from './s3.ts';

/** A rule of a bucket: which events of which keys go to which queue (an ARN). Empty prefixes and suffixes fit all keys. */
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
  return row ? (JSON.parse(row.doc) as QueueRule[]) : [];
}

/** Replaces the rules of a bucket. */
export function setRules({ storage }: S3, bucket: string, rules: readonly QueueRule[]): void {
  const replace = 'INSERT OR REPLACE INTO notification (bucket, doc) VALUES (?, ?)';
  storage.run(replace, bucket, JSON.stringify(rules));
}

/** Whether a rule is about an event, `ObjectCreated:Put`, of a key. */
export const concerns = ({ events, prefix, suffix }: QueueRule, event: string, key: string): boolean =>
  key.startsWith(prefix) &&
  key.endsWith(suffix) &&
  events.some(
    (one) => one === `s3:${event}` || (one.endsWith('*') && `s3:${event}`.startsWith(one.slice(0, -1))),
  );
