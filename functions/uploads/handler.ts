import { arrivedAt } from '../../shared/files/uploads/arrive.ts';
import { toldIn } from '../../shared/files/uploads/notification.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { repair } from '../../shared/files/uploads/repair.ts';
import { Unavailable } from '../../shared/http/unavailable.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { registry } from '../registry.ts';

const files = registry.find(({ name }) => name === 'files') as Resource;

/** How often an engine that does not answer is asked again, and by how many ms later each time. */
const ATTEMPTS = 4;
const BACK_OFF = 500;

/**
 * Makes files of what was sent for operations, and listings follow what S3 says happened to files. A message that could
 * not be worked on comes again when its visibility timeout ends, and after the queue's number of attempts goes to the
 * dead letters.
 *
 * Source: Amazon S3 User Guide, "Amazon S3 Event Notifications": at least once, in any order.
 */
export const handler = observedBackground(
  'uploads',
  eachMessage(async ({ body }) => {
    for (const { key, time } of toldIn(body)) {
      if (key.startsWith(FILES)) await patiently(() => repair(files, key.slice(FILES.length)));
      if (key.startsWith(STAGED)) await patiently(() => arrivedAt(files, key.slice(STAGED.length), time));
    }
  }),
);

async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt === ATTEMPTS) throw error;
      await new Promise((later) => setTimeout(later, attempt * BACK_OFF));
    }
  }
}
