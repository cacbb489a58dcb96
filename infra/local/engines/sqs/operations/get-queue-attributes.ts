import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs } from '../sqs.ts';

/** Settings of a queue and the number of its messages, here exact. Source: SQS API Reference "GetQueueAttributes". */
export const getQueueAttributes = jsonOperation(
  'QueueUrl AttributeNames',
  (
    sqs: Sqs,
    { QueueUrl: url, AttributeNames: names = [] }: { QueueUrl?: string; AttributeNames?: string[] },
  ) => {
    const { id, name, created, attributes } = queueAt(sqs, url);
    const count = (where: string): string => {
      const select = `SELECT count(*) AS count FROM msg WHERE queue = ? AND ${where}`;
      return String(sqs.storage.get<{ count: number }>(select, id, sqs.clock())?.count);
    };
    const all = {
      ...attributes,
      QueueArn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
      CreatedTimestamp: String(Math.floor(created / 1000)),
      ApproximateNumberOfMessages: count('visible_at <= ?'),
      ApproximateNumberOfMessagesNotVisible: count('visible_at > ? AND receipt IS NOT NULL'),
      ApproximateNumberOfMessagesDelayed: count('visible_at > ? AND receipt IS NULL'),
    };
    const isAsked = ([attribute]: [string, unknown]) => names.includes('All') || names.includes(attribute);
    return { Attributes: Object.fromEntries(Object.entries(all).filter(isAsked)) };
  },
);
