import { config } from '../../shared/aws/config.ts';
import { arrivedAt } from '../../shared/files/uploads/arrive.ts';
import { parseNotification } from '../../shared/files/uploads/notification.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { repair } from '../../shared/files/uploads/repair.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { retriedLater } from '../../shared/lambda/retried.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { registry } from '../registry.ts';

const files = registry.find(({ name }) => name === 'files') as Resource;

/**
 * Makes files of arrived uploads, and makes listings follow what S3 says happened to files. A message that failed comes
 * again, later each time. After the queue's number of attempts SQS moves it to the dead letters.
 *
 * Source: Amazon S3 User Guide, "Amazon S3 Event Notifications": at least once, in any order.
 */
export const handler = observedBackground(
  'uploads',
  retriedLater(config.uploadsQueue, async ({ body }, { deadline }) => {
    for (const { key, time } of parseNotification(body)) {
      if (key.startsWith(FILES)) await repair(files, key.slice(FILES.length));
      if (key.startsWith(STAGED)) await arrivedAt(files, key.slice(STAGED.length), { told: time, deadline });
    }
  }),
);
