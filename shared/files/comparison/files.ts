import { SERVICE } from '../../resource/access/owner.ts';
import type { Item } from '../../resource/item.ts';
import type { ListPosition } from '../../resource/lists/page.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { composedKey } from '../../store/form/sort-key.ts';
import { Pages } from '../../store/lists/pages.ts';
import { FileListing } from '../listing.ts';
import { Objects } from '../objects.ts';
import { reconcileRow, rowMatches } from '../reconcile-row.ts';
import { FILES } from '../uploads/record.ts';
import type { Compared, ComparedStores } from './compare.ts';
import { itemsTable } from './pairing.ts';

/** The number of rows in one page. */
const PAGE = 1000;

/**
 * Returns the rows of a store of files and its objects. They differ after a crash between the two writes, or a lost
 * notification of S3. The walk reads objects and rows in the order of their names, with constant memory. An index can
 * be behind its table. Therefore it reads the row of each difference again. `settled`: objects that are newer than this
 * time, in ms since the epoch, have a writer that may still run.
 */
export function filesAndRows(resource: Resource, settled: number): ComparedStores {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  const compared = (name: string) => comparedName(resource, stores, { name, settled });
  return {
    of: 'files',
    tables: [itemsTable(resource)],
    async *walk(after) {
      const listed = rowsInOrder(resource, after);
      let row = await listed.next();
      for await (const { key, etag } of stores.objects.list(after)) {
        for (; !row.done && before(row.value.id, key); row = await listed.next())
          yield compared(row.value.id);
        const found = !row.done && row.value.id === key ? row.value : undefined;
        yield found?.internal.etag === etag ? { key, named: resource.name } : compared(key);
        if (found) row = await listed.next();
      }
      for (; !row.done; row = await listed.next()) yield compared(row.value.id);
    },
  };
}

const before = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/** Compares one row with its object. A writer of a new object writes its row itself. */
async function comparedName(
  { name: table }: Resource,
  stores: { readonly objects: Objects; readonly rows: FileListing },
  { name: key, settled }: { readonly name: string; readonly settled: number },
): Promise<Compared> {
  const { objects, rows } = stores;
  const shown = await rows.shown(key);
  const facts = await objects.head(key);
  if (rowMatches(shown, facts)) return facts ? { key, named: table } : { key };
  if (!facts)
    return shown
      ? { key, difference: { kind: 'remove', by: [table], apply: () => rows.removeIfUnchanged(key, shown) } }
      : { key };
  if (facts.lastModified > settled) return { key };
  const apply = async () => {
    await reconcileRow(stores, key, shown, Math.max(facts.lastModified, shown?.createdAt ?? 0));
    return true;
  };
  return { key, difference: { kind: 'repair', by: [table], apply } };
}

type Row = Item & { readonly id: string };

/** The rows after a name. A list that cannot be read in this order has none: then each object is a difference. */
async function* rowsInOrder(resource: Resource, name: string | undefined): AsyncGenerator<Row, undefined> {
  const pages = new Pages(resource);
  const sortOrder = [{ field: descriptionOf(resource).identifier.name, descending: false }];
  let after: ListPosition | undefined =
    name === undefined ? undefined : { key: composedKey([], name), id: name, backwards: false };
  do {
    const listing = await pages.list(SERVICE, { limit: PAGE, offset: 0, sortOrder, filters: [], after });
    if (listing.kind !== 'page') return undefined;
    for (const item of listing.page.items) yield { ...item, id: String(item.id) };
    after = listing.page.next;
  } while (after);
  return undefined;
}
