import { operation, queueArn, queueAt } from '../sqs.ts';

interface GetQueueAttributesRequest {
  QueueUrl?: string;
  AttributeNames?: string[];
}

/** Settings of a queue and the number of its messages, here exact. Source: SQS API Reference "GetQueueAttributes". */
export const getQueueAttributes = operation<GetQueueAttributesRequest>(
  ['QueueUrl', 'AttributeNames'],
  (sqs, { QueueUrl: url, AttributeNames: names = [] }) => {
    const queue = queueAt(sqs, url);
    const now = sqs.clock();
    const count = (where: string): string =>
      String(
        sqs.storage.get<{ count: number }>(
          `SELECT count(*) AS count FROM msg WHERE queue = ? AND expires_at > ? AND ${where}`,
          queue.id,
          now,
          now,
        )?.count,
      );
    const all: Record<string, string> = {
      ...queue.attributes,
      QueueArn: queueArn(queue.name),
      CreatedTimestamp: String(Math.floor(queue.created / 1000)),
      LastModifiedTimestamp: String(Math.floor(queue.created / 1000)),
      ApproximateNumberOfMessages: count('visible_at <= ?'),
      ApproximateNumberOfMessagesNotVisible: count('visible_at > ? AND receipt IS NOT NULL'),
      ApproximateNumberOfMessagesDelayed: count('visible_at > ? AND receipt IS NULL'),
    };
    const asked = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name));
    return asked.length > 0 ? { Attributes: Object.fromEntries(asked) } : {};
  },
);
