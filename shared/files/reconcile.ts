import { SERVICE } from '../resource/access/owner.ts';
import type { Item } from '../resource/item.ts';
import type { Resource } from '../resource/resource.ts';
import { Pages } from '../store/lists/pages.ts';
import { FileListing } from './listing.ts';
import { Objects } from './objects.ts';

/** The number of rows in one page. */
const PAGE = 1000;

/**
 * Makes the rows of a store of files match its objects after a crash between the two writes. It writes rows that are
 * missing or describe an earlier object, and removes rows without an object. It reads objects and rows in the order of
 * their names, with constant memory.
 *
 * Source: Specification 5.4.
 */
export async function reconcile(resource: Resource): Promise<void> {
  const objects = new Objects('files/');
  const rows = new FileListing(resource);
  const listed = rowsInOrder(resource);
  let row = await listed.next();
  for await (const { key, etag } of objects.list()) {
    for (; !row.done && before(String(row.value.id), key); row = await listed.next()) {
      await rows.remove(String(row.value.id));
    }
    const found = !row.done && row.value.id === key ? row.value : undefined;
    if (found?.internal.etag !== etag) {
      const facts = await objects.head(key);
      if (facts) await rows.put(key, facts, Math.max(facts.lastModified, found?.createdAt ?? 0));
    }
    if (found) row = await listed.next();
  }
  for (; !row.done; row = await listed.next()) await rows.remove(String(row.value.id));
}

const before = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

async function* rowsInOrder(resource: Resource): AsyncGenerator<Item, undefined> {
  const pages = new Pages(resource);
  let after: Parameters<Pages['list']>[1]['after'];
  do {
    const order = [{ field: 'filename', descending: false }];
    const listing = await pages.list(SERVICE, { limit: PAGE, offset: 0, order, filters: [], after });
    if (listing.kind !== 'page') return undefined;
    yield* listing.page.items;
    after = listing.page.next;
  } while (after);
  return undefined;
}
