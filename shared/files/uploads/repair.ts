import { currentTime } from '../../aws/clock.ts';
import { sleep } from '../../concurrency/retry.ts';
import type { Resource } from '../../resource/resource.ts';
import { FileListing } from '../listing.ts';
import { Objects } from '../objects.ts';
import { reconcileRow, rowMatches } from '../reconcile-row.ts';
import { FILES } from './record.ts';

/** The time that a writer of an object has to write its row, and the time between two reads; both in ms. */
const GRACE = 5000;
const LOOK = 100;

/**
 * Makes the row of a file match its object after a notification of S3. The writer of the object has some time to write
 * the row itself. If it crashed, this function writes the row. A notification may be repeated, late or out of order.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function repair(resource: Resource, name: string): Promise<void> {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  for (;;) {
    const [facts, shown] = await Promise.all([stores.objects.head(name), stores.rows.shown(name)]);
    if (rowMatches(shown, facts)) return;
    if (facts && currentTime() > facts.lastModified + GRACE)
      return reconcileRow(stores, name, shown, currentTime());
    if (facts) await sleep(LOOK);
    else if (shown) await stores.rows.removeIfUnchanged(name, shown.etag);
  }
}
