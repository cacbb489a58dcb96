import { currentTime } from '../aws/clock.ts';
import { SERVICE } from '../resource/access/owner.ts';
import { descriptionOf } from '../resource/description/described.ts';
import type { Item } from '../resource/item.ts';
import type { Position } from '../resource/lists/page.ts';
import type { Resource } from '../resource/resource.ts';
import { composedKey } from '../store/items/sort-key.ts';
import { Pages } from '../store/lists/pages.ts';
import { FileListing } from './listing.ts';
import { Objects } from './objects.ts';
import { reconcileRow, rowMatches } from './reconcile-row.ts';
import { FILES } from './uploads/record.ts';

/** The number of rows in one page. */
const PAGE = 1000;

/** The part of a comparison that one run makes. Times are ms since the epoch. */
export interface Part {
  /** The key that the run before has compared last; undefined: it begins. */
  readonly after?: string | undefined;
  /** The run ends after the first key that it compares later than this. */
  readonly deadline: number;
  /** Objects that are newer than this have a writer that may still run. */
  readonly settled: number;
}

/** Everything, while no writer runs. */
export const WHOLE: Part = { deadline: Number.POSITIVE_INFINITY, settled: Number.POSITIVE_INFINITY };

/** What a run has changed. `rest`: the last key that it has compared, if others are left. */
export interface Reconciled {
  readonly changed: number;
  readonly rest?: string;
}

/**
 * Makes the rows of a store of files match its objects after a crash between the two writes, or a lost notification of
 * S3. It writes rows that are missing or describe an earlier object, and removes rows without an object. It reads
 * objects and rows in the order of their names, with constant memory. An index can be behind its table. Therefore it
 * reads the row of each difference again.
 *
 * Source: Specification 5.4.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function reconcile(resource: Resource, { after, deadline, settled }: Part): Promise<Reconciled> {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  const listed = rowsInOrder(resource, after);
  let row = await listed.next();
  let changed = 0;
  const repair = async (name: string): Promise<void> => {
    if (await repairRow(stores, name, settled)) changed += 1;
  };
  for await (const { key, etag } of stores.objects.list(after)) {
    for (; !row.done && before(row.value.id, key); row = await listed.next()) await repair(row.value.id);
    const found = !row.done && row.value.id === key ? row.value : undefined;
    if (found?.internal.etag !== etag) await repair(key);
    if (found) row = await listed.next();
    if (currentTime() > deadline) return { changed, rest: key };
  }
  for (; !row.done; row = await listed.next()) {
    await repair(row.value.id);
    if (currentTime() > deadline) return { changed, rest: row.value.id };
  }
  return { changed };
}

const before = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/** Makes one row match its object, unless a writer of the object may still do it. Returns whether it has changed. */
async function repairRow(
  stores: { readonly objects: Objects; readonly rows: FileListing },
  name: string,
  settled: number,
): Promise<boolean> {
  const shown = await stores.rows.shown(name);
  const facts = await stores.objects.head(name);
  if (rowMatches(shown, facts)) return false;
  if (!facts) return shown !== undefined && stores.rows.removeIfUnchanged(name, shown);
  if (facts.lastModified > settled) return false;
  await reconcileRow(stores, name, shown, Math.max(facts.lastModified, shown?.createdAt ?? 0));
  return true;
}

type Row = Item & { readonly id: string };

/** The rows after a name. A list that cannot be read in this order has none: then each object is a difference. */
async function* rowsInOrder(resource: Resource, name: string | undefined): AsyncGenerator<Row, undefined> {
  const pages = new Pages(resource);
  const order = [{ field: descriptionOf(resource).identifier.name, descending: false }];
  let after: Position | undefined =
    name === undefined ? undefined : { key: composedKey([], name), id: name, backwards: false };
  do {
    const listing = await pages.list(SERVICE, { limit: PAGE, offset: 0, order, filters: [], after });
    if (listing.kind !== 'page') return undefined;
    for (const item of listing.page.items) yield { ...item, id: String(item.id) };
    after = listing.page.next;
  } while (after);
  return undefined;
}
