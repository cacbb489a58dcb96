import type { Resource } from '../resource/resource.ts';
import { Pages } from '../store/pages.ts';
import { Objects } from './objects.ts';
import { Rows } from './rows.ts';

/** Listed rows looked at in one page. */
const PAGE = 1000;

/**
 * Makes the rows of a store of files follow its objects, after a crash between the two: objects without a row get
 * one, rows without an object go. Both are walked in the order of their names, in constant memory.
 */
export async function reconcile(resource: Resource): Promise<{ added: number; removed: number }> {
  const objects = new Objects('files/');
  const rows = new Rows(resource);
  const listed = names(resource);
  let added = 0;
  let removed = 0;
  let row = await listed.next();
  for await (const name of objects.keys()) {
    while (!row.done && before(row.value, name)) {
      await rows.remove(row.value);
      removed += 1;
      row = await listed.next();
    }
    if (!row.done && row.value === name) {
      row = await listed.next();
      continue;
    }
    const facts = await objects.head(name);
    if (!facts) continue;
    await rows.put(name, facts, facts.lastModified);
    added += 1;
  }
  for (; !row.done; row = await listed.next()) {
    await rows.remove(row.value);
    removed += 1;
  }
  return { added, removed };
}

const before = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

async function* names(resource: Resource): AsyncGenerator<string, undefined> {
  const pages = new Pages(resource);
  let after: Parameters<Pages['list']>[0]['after'];
  do {
    const page = await pages.list({ limit: PAGE, offset: 0, sort: 'filename', descending: false, after });
    if ('beyond' in page) return undefined;
    for (const item of page.items) if ('id' in item) yield item.id as string;
    after = page.next;
  } while (after);
  return undefined;
}
