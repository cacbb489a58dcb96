import type { Resource } from '../../resource/resource.ts';
import { FileListing } from '../listing.ts';
import { Objects } from '../objects.ts';
import { reconcileRow, rowMatches } from '../reconcile-row.ts';
import { FILES } from './record.ts';

/** How long who wrote an object may take to write its row, in ms, and between two looks at it. */
const GRACE = 5000;
const LOOK = 100;

/**
 * Makes the row of a file follow its object, which was created or removed. Who wrote the object is given time to write
 * the row: only where a crash left it without, it gets it here. Harmless to be told twice, late or in another order.
 *
 * @throws Unavailable when S3 or DynamoDB does not answer
 */
export async function repair(resource: Resource, name: string): Promise<void> {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  for (;;) {
    const [facts, shown] = await Promise.all([stores.objects.head(name), stores.rows.shown(name)]);
    if (rowMatches(shown, facts)) return;
    if (!facts || Date.now() > facts.lastModified + GRACE)
      return reconcileRow(stores, name, shown, Date.now());
    await new Promise((later) => setTimeout(later, LOOK));
  }
}
