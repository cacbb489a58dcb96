import { currentTime } from '../../aws/clock.ts';
import { sleep } from '../../concurrency/retry.ts';
import { Unavailable } from '../../http/problem.ts';
import { SERVICE } from '../../resource/access/owner.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { Versions } from '../../store/history/versions.ts';
import { VERSIONS_TABLE } from '../../store/history/versions-table.ts';
import { itemsOf } from '../../store/items/items.ts';
import { type ObjectFacts, Objects } from '../objects.ts';
import { ownerOf } from './key.ts';

/** Nearly every writer names its bytes within this time, in ms. */
const USUAL_MS = 5000;
/** The pause between two reads of the item, in ms. */
const PAUSE_MS = 100;
/** After this time, in ms, no writer of the bytes runs any more: Lambda ends a function after 15 minutes. */
export const ABANDONED_MS = 16 * 60_000;

const objects = new Objects('');

/**
 * The name of the table that names these bytes: that of the items, or that of kept versions; undefined: none does.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function namingTable(resources: readonly Resource[], key: string): Promise<string | undefined> {
  const owner = ownerOf(key);
  const resource = resources.find(({ name, binaries }) => binaries && name === owner?.resource);
  if (!resource || !owner) return undefined;
  if (isKeyOf(await itemsOf(resource, SERVICE).get(owner.id), key)) return resource.name;
  const isVersion = resource.history !== undefined && (await isKept(resource, Number(owner.id), key));
  return isVersion ? VERSIONS_TABLE.name : undefined;
}

const isKeyOf = (item: Item | undefined, key: string): boolean =>
  Object.values(item?.binaries ?? {}).some((stored) => stored.key === key);

/** True if a kept version of an item names these bytes. */
async function isKept(resource: Resource, id: number, key: string): Promise<boolean> {
  for await (const { item } of new Versions(resource, SERVICE, id).newestFirst())
    if (isKeyOf(item, key)) return true;
  return false;
}

/**
 * Removes new bytes that no item names, after a notification of S3. The writer of the bytes may still run, so this
 * function throws until none can. The queue then delivers the notification again.
 *
 * Source: Specification 2.29, 5.4.
 *
 * @throws Unavailable if an engine does not respond, or a writer may still name the bytes
 */
export async function removeUnnamed(resources: readonly Resource[], key: string): Promise<void> {
  for (let facts: ObjectFacts | undefined; (await namingTable(resources, key)) === undefined; ) {
    facts ??= await objects.head(key);
    if (!facts) return;
    const age = currentTime() - facts.lastModified;
    if (age > ABANDONED_MS) {
      await objects.remove(key);
      return;
    }
    if (age > USUAL_MS) throw new Unavailable(new Error(`No item names ${key} yet`));
    await sleep(PAUSE_MS);
  }
}
