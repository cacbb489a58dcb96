import { Objects } from '../../shared/files/objects.ts';
import { STAGED, sentTo } from '../../shared/files/uploads/record.ts';
import { waitingFor } from '../../shared/operations/running/part-tracker.ts';

/**
 * Removes the uploads of operations that have ended. For every other upload it calls `notify` with the key of the
 * object, which sends another notification. A crashed process may have received the first one without work on it. Only
 * `npm start` calls this. On AWS, SQS delivers messages again, and a lifecycle rule of the bucket removes old uploads.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function sweepStaged(notify: (key: string) => Promise<unknown>): Promise<void> {
  const staged = new Objects(STAGED);
  for await (const { key } of staged.list()) {
    const sent = sentTo(key);
    if (!sent || !(await waitingFor(sent.operation))) await staged.remove(key);
    else await notify(STAGED + key);
  }
}
