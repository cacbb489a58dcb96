import { jsonOperation } from '../../json-protocol.ts';
import { queueAt, type Sqs, type SqsRequest } from '../sqs.ts';

/**
 * Returns the settings of a queue and its exact number of messages. Source: SQS API Reference "GetQueueAttributes".
 */
export const getQueueAttributes = jsonOperation(
  'QueueUrl AttributeNames',
  (sqs: Sqs, { QueueUrl: url, AttributeNames: names = [] }: SqsRequest) => {
    const { id, name, attributes } = queueAt(sqs, url);
    const count = (where: string): string => {
      const select = `SELECT count(*) AS count FROM msg WHERE queue = ? AND ${where}`;
      return String(sqs.storage.get<{ count: number }>(select, id, sqs.storage.now())?.count);
    };
    const all = {
      ...attributes,
      QueueArn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
      ApproximateNumberOfMessages: count('visible_at <= ?'),
      ApproximateNumberOfMessagesNotVisible: count('visible_at > ? AND receipt IS NOT NULL'),
      ApproximateNumberOfMessagesDelayed: count('visible_at > ? AND receipt IS NULL'),
    };
    return { Attributes: selectAttributes(all, names) };
  },
);

/** Returns the attributes with those names; `All` means all attributes. */
export function selectAttributes(
  all: Record<string, string>,
  names: readonly string[] = [],
): Record<string, string> {
  const isAsked = (name: string): boolean => names.includes('All') || names.includes(name);
  return Object.fromEntries(Object.entries(all).filter(([name]) => isAsked(name)));
}
