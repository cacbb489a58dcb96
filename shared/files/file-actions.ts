import { createHash } from 'node:crypto';
import { currentTime } from '../aws/clock.ts';
import { type EntityTag, fileTag } from '../http/conditional/entity-tag.ts';
import { lazily } from '../on-demand.ts';
import type { Caller } from '../resource/access/owner.ts';
import type { Calls, FileCall } from '../resource/actions/action.ts';
import { type Bytes, done, found, missing, type Outcome, stale } from '../resource/actions/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { FileHistoryActions } from '../resource/styles/file-history.ts';
import type { StoreActions } from '../resource/styles/store-and-binaries.ts';
import { withIdempotencyLock } from '../store/idempotency/lock.ts';
import { listingOutcome } from '../store/items/outcomes.ts';
import { Pages } from '../store/lists/pages.ts';
import { addressOf } from './address.ts';
import { bytesOfObject, historyLink, isKept } from './bytes-of-object.ts';
import { FileListing, type ShownRow } from './listing.ts';
import { Objects, type OpenedObject, objectCondition } from './objects.ts';
import { mayHaveOverlapped, reconcileRow } from './reconcile-row.ts';
import { storeFiles } from './store-files.ts';
import { openStored, storedName } from './stored-name.ts';
import type { MakeObject } from './versions.ts';

/** Returns the SHA-256 of the bytes, in base64. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/**
 * Returns the actions of a store of files: bytes in S3, and listing rows in DynamoDB. The service writes the object
 * first, then its row. After a crash between the two, it reconciles the row. A client never gets a part of a file.
 *
 * Source: Specification 5.1, 5.3, 5.4.
 */
export function fileActions(resource: Resource, keepsVersions = false) {
  const objects = new Objects('files/');
  const rows = new FileListing(resource);
  const pages = new Pages(resource);
  const bytesOf = (name: string, opened: OpenedObject): Bytes => ({
    ...bytesOfObject(objects, name, opened, true),
    ...(keepsVersions && isKept(opened.facts) ? { history: 'present' as const } : {}),
    address: (method) => addressOf(objects.address(name), opened.facts, method),
  });

  return {
    list: async ({ caller, page }) => listingOutcome(await pages.list(caller, page)),

    read: async (input) => {
      const { name, opened } = await openStored(objects, input.name, input.mostBytes);
      if (!opened || opened === 'removed')
        return missing(undefined, opened && keepsVersions ? [historyLink(name)] : []);
      return found({ kind: 'bytes', bytes: bytesOf(name, opened) });
    },

    // A client may cancel an operation, and a worker may start it twice. The lock records that the write has started.
    write: (input) => (input.work ? withIdempotencyLock(input, () => write(input)) : write(input)),

    register: async (input) => {
      const { content } = input;
      return content.kind === 'uploads'
        ? (await import('./uploads/announce/announce.ts')).announced(resource, input, content.uploads)
        : withIdempotencyLock(input, () => storeFiles(resource, input, content.files, write));
    },

    remove: (input) => withIdempotencyLock(input, () => remove(input)),

    versions: lazily(
      async () => (await import('./versions.ts')).fileHistoryActions(store),
      ['list', 'read', 'restore', 'at'],
    ),
  } satisfies StoreActions & { versions: FileHistoryActions };

  async function remove(input: FileCall): Promise<Outcome> {
    const name = await storedName(objects, input.name);
    const by = keepsVersions ? input.caller : undefined;
    const expected = objectCondition(input.expected);
    const row = await rows.shown(name);
    if (expected?.kind === 'etag') return (await removeBoth(name, expected.etag, { row, by })) ? done : stale;
    if (row && (await removeBoth(name, row.etag, { row, by }))) return done;
    // A crashed or concurrent request wrote or removed the object, and the row does not show it yet.
    const facts = await objects.head(name);
    if (facts) return (await removeBoth(name, facts.etag, { row, by })) ? done : stale;
    if (row) await rows.removeIfUnchanged(name, row);
    return missing();
  }

  /** Removes the object with this entity tag, then its row. Returns false if the object is another one or missing. */
  async function removeBoth(
    name: string,
    etag: EntityTag,
    { row, by }: { readonly row: ShownRow | undefined; readonly by: Caller | undefined },
  ): Promise<boolean> {
    if ((await objects.remove(name, etag)) === 'lost') return false;
    const isRemoved = row?.etag.opaque === etag.opaque && (await rows.removeIfUnchanged(name, row, by));
    if (isRemoved) return true;
    await rows.remove(name);
    await reconcileRow({ objects, rows }, name, undefined, currentTime());
    return true;
  }

  async function write(input: Calls['writeFile']): Promise<Outcome> {
    const name = await storedName(objects, input.name);
    return store({ ...input, name }, async () => {
      const { bytes, mediaType } = input.sent;
      const digest = sha256(bytes);
      const sent = { bytes, mediaType, sha256: digest };
      const lastModified = currentTime();
      const etag = await objects.put(name, sent, objectCondition(input.expected));
      return etag === 'lost' ? etag : { etag, size: bytes.length, lastModified, mediaType, sha256: digest };
    });
  }

  /** Makes a file, then its row. `make` writes the object, unless the precondition does not hold any more. */
  async function store({ caller, name, expected }: FileCall, make: MakeObject): Promise<Outcome> {
    const facts = await make();
    if (facts === 'lost') {
      // S3 may have done this write although its response was lost. The row then follows the present object.
      await reconcileRow({ objects, rows }, name, undefined, currentTime());
      return stale;
    }
    const { lastModified: begun } = facts;
    const { item, replacedFrom } = await rows.put(name, facts, begun, caller.subject);
    if (mayHaveOverlapped(begun, currentTime(), replacedFrom))
      await reconcileRow({ objects, rows }, name, facts, currentTime());
    const isReplaced = expected ? expected.kind === 'etag' : replacedFrom !== undefined;
    return {
      kind: isReplaced ? 'replaced' : 'created',
      state: { kind: 'item', item },
      location: `/${resource.name}/${encodeURIComponent(name)}`,
      etag: fileTag(facts),
    };
  }
}
