import { currentTime } from '../../shared/aws/clock.ts';
import { sleep } from '../../shared/concurrency/retry.ts';
import { FileListing } from '../../shared/files/listing.ts';
import { Objects } from '../../shared/files/objects.ts';
import { reconcileRow, rowMatches, SETTLED } from '../../shared/files/reconcile-row.ts';
import { FILES } from '../../shared/files/uploads/record.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { ObjectEvent } from './notification.ts';

/** The time that a writer of an object has to write its row, and the time between two reads; both in ms. */
const GRACE = 5000;
const LOOK = 100;

/**
 * Makes the row of a file match its object after a notification of S3. The writer of the object has some time to write
 * the row itself. If it crashed, this function writes the row. If the object is already removed, its writer may still
 * write the row, so this function looks again. A notification may be repeated, late or out of order.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function repair(
  resource: Resource,
  name: string,
  { time, isRemoval }: Pick<ObjectEvent, 'time' | 'isRemoval'>,
): Promise<void> {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  for (;;) {
    const shown = await stores.rows.shown(name);
    // If an object exists again, its own notification leads to its row.
    if (!shown && isRemoval) return;
    const facts = await stores.objects.head(name);
    if (!facts && shown) await stores.rows.removeIfUnchanged(name, shown);
    const early = facts || isRemoval || time === undefined ? 0 : time + SETTLED - currentTime();
    if (rowMatches(shown, facts) && early <= 0) return;
    if (facts && currentTime() > facts.lastModified + GRACE)
      return reconcileRow(stores, name, shown, currentTime());
    if (facts || early > 0) await sleep(facts ? LOOK : Math.min(early, SETTLED));
  }
}
