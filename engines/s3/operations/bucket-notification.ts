import { Fault, notImplemented } from '../../fault.ts';
import { enqueue } from '../../sqs/enqueue.ts';
import { findQueue } from '../../sqs/sqs.ts';
import { nameIn } from '../notifications/notify.ts';
import { type QueueRule, rulesOf, setRules } from '../notifications/rules.ts';
import type { S3Operation } from '../s3.ts';
import { childrenOf, documentOf, textOf, type XmlElement } from '../xml/read.ts';
import { xmlAnswer } from '../xml/write.ts';

/**
 * Replaces the notification rules of a bucket. Each queue gets a test event.
 * @throws InvalidArgument (400) for a queue that does not exist
 *
 * Source: S3 API Reference "PutBucketNotificationConfiguration".
 */
export const putBucketNotification: S3Operation = async (s3, request) => {
  const document = await documentOf(request, 'NotificationConfiguration');
  const other = document.children.find(({ name }) => name !== 'QueueConfiguration');
  if (other) throw notImplemented(`S3 ${other.name}`);
  const rules = document.children.map(ruleOf);
  s3.storage.transaction(() => {
    for (const { queue: arn } of rules) {
      const queue = findQueue(s3, nameIn(arn));
      if (!queue) {
        throw new Fault('InvalidArgument', 'Unable to validate the following destination configurations');
      }
      enqueue(s3, queue, JSON.stringify(testEvent(request.bucket)));
    }
    setRules(s3, request.bucket, rules);
  });
  return { status: 200, headers: { 'content-length': '0' } };
};

/** Returns the notification rules of a bucket. Source: S3 API Reference "GetBucketNotificationConfiguration". */
export const getBucketNotification: S3Operation = (s3, { bucket }) =>
  xmlAnswer('NotificationConfiguration', {
    QueueConfiguration: rulesOf(s3, bucket).map(({ id, queue, events, prefix, suffix }) => {
      const filters = Object.entries({ prefix, suffix }).filter(([, value]) => value !== '');
      const FilterRule = filters.map(([Name, Value]) => ({ Name, Value }));
      return {
        Id: id,
        Queue: queue,
        Event: [...events],
        Filter: FilterRule.length > 0 ? { S3Key: { FilterRule } } : undefined,
      };
    }),
  });

function ruleOf(element: XmlElement): QueueRule {
  const filters = childrenOf(element, 'Filter')
    .flatMap((filter) => childrenOf(filter, 'S3Key'))
    .flatMap((key) => childrenOf(key, 'FilterRule'));
  const filter = (name: string): string => {
    const found = filters.find((rule) => textOf(rule, 'Name')?.toLowerCase() === name);
    return (found && textOf(found, 'Value')) ?? '';
  };
  return {
    id: textOf(element, 'Id') ?? crypto.randomUUID(),
    queue: textOf(element, 'Queue') ?? '',
    events: childrenOf(element, 'Event').map(({ text }) => text.trim()),
    prefix: filter('prefix'),
    suffix: filter('suffix'),
  };
}

const testEvent = (bucket: string) => ({
  Service: 'Amazon S3',
  Event: 's3:TestEvent',
  Time: new Date().toISOString(),
  Bucket: bucket,
  RequestId: crypto.randomUUID(),
});
