import type { SQSRecord } from 'aws-lambda';
import { files } from '../../service/files.ts';
import { registry } from '../../service/registry.ts';
import { config } from '../../shared/aws/config.ts';
import { BINARIES } from '../../shared/files/binaries/key.ts';
import { removeUnnamed } from '../../shared/files/binaries/leftovers.ts';
import { arrivedAt } from '../../shared/files/uploads/arrive.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { retriedLater } from '../../shared/lambda/retried.ts';
import { parseNotification } from './notification.ts';
import { repair } from './repair.ts';

/** Returns the queue that delivered a message. Its name is the last part of its ARN and of its URL. */
const queueOf = ({ eventSourceARN }: SQSRecord): string => {
  const large = files && config.largeUploadsQueue();
  return large && eventSourceARN.split(':').at(-1) === large.split('/').at(-1)
    ? large
    : config.uploadsQueue();
};

/**
 * Handles notifications of S3. It publishes arrived uploads as files, repairs the listing rows of changed files, and
 * removes the bytes of binary properties that no item names.
 * SQS delivers a failed message again, with a longer delay each time. After the queue's number of attempts, SQS moves
 * the message to the dead-letter queue.
 *
 * Source: Amazon S3 User Guide, "Amazon S3 Event Notifications": at least once, in any order.
 */
export const handler = observeBackground(
  'uploads',
  retriedLater(queueOf, async ({ body }, { deadline }) => {
    for (const event of parseNotification(body)) {
      const { key, time } = event;
      if (key.startsWith(BINARIES)) await removeUnnamed(registry, key);
      if (files && key.startsWith(FILES)) await repair(files, key.slice(FILES.length), event);
      if (files && key.startsWith(STAGED))
        await arrivedAt(files, key.slice(STAGED.length), { storedAt: time, deadline });
    }
  }),
);
