import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs, type SqsRequest } from '../sqs.ts';

/** Settings of a queue and the number of its messages, here exact. Source: SQS API Reference "GetQueueAttributes". */
export const getQueueAttributes = jsonOperation(
  'QueueUrl AttributeNames',
  (sqs: Sqs, { QueueUrl: url, AttributeNames: names = [] }: SqsRequest) => {
    const { id, name, attributes } = queueAt(sqs, url);
    const count = (where: string): string => {
      const select = `SELECT count(*) AS count FROM msg WHERE queue = ? AND ${where}`;
      return String(sqs.storage.get<{ count: number }>(select, id, Date.now())?.count);
    };
    const all = {
      ...attributes,
      QueueArn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
      ApproximateNumberOfMessages: count('visible_at <= ?'),
      ApproximateNumberOfMessagesNotVisible: count('visible_at > ? AND receipt IS NOT NULL'),
      ApproximateNumberOfMessagesDelayed: count('visible_at > ? AND receipt IS NULL'),
    };
    return { Attributes: asked(all, names) };
  },
);

/** The attributes of those names, all of them for `All`. */
export function asked(all: Record<string, string>, names: readonly string[] = []): Record<string, string> {
  const isAsked = (name: string): boolean => names.includes('All') || names.includes(name);
  return Object.fromEntries(Object.entries(all).filter(([name]) => isAsked(name)));
}
