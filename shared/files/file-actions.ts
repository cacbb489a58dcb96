import { createHash } from 'node:crypto';
import type { InputWith } from '../resource/actions/action.ts';
import { type Bytes, done, missing, type Outcome, stale } from '../resource/actions/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { StoreActions } from '../resource/styles/bytes.ts';
import { withIdempotencyLock } from '../store/idempotency/lock.ts';
import { listingOutcome } from '../store/item-actions.ts';
import { Pages } from '../store/lists/pages.ts';
import { addressOf } from './address.ts';
import { FileListing } from './listing.ts';
import { type ObjectFacts, Objects, objectCondition } from './objects.ts';
import { reconcileRow } from './reconcile-row.ts';
import { served } from './served.ts';
import { storeFiles } from './store-files.ts';

/** The SHA-256 of the bytes, in base64. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/**
 * The actions of a store of files: bytes in S3, and listing rows in DynamoDB. The service writes the object first, then
 * its row. After a crash between the two, it reconciles the row. A client never gets a part of a file.
 *
 * Source: Specification 5.1, 5.3, 5.4.
 */
export function fileActions(resource: Resource) {
  const objects = new Objects('files/');
  const rows = new FileListing(resource);
  const pages = new Pages(resource);
  const bytesOf = (name: string, facts: ObjectFacts): Bytes => ({
    ...served(objects, name, facts, true),
    address: (method) => addressOf(objects.address(name), facts, method),
  });

  return {
    list: async ({ page }) => listingOutcome(await pages.list(page)),

    read: async ({ name }) => {
      const facts = await objects.head(name);
      if (!facts) return missing();
      return { kind: 'found', state: { kind: 'bytes', bytes: bytesOf(name, facts) } };
    },

    // A client may cancel an operation, and a worker may start it twice. The lock records that the write has started.
    write: (input) => (input.work ? withIdempotencyLock(input, () => write(input)) : write(input)),

    register: async (input) =>
      input.uploads
        ? (await import('#uploads')).announced(resource, input)
        : withIdempotencyLock(input, () => storeFiles(resource, input, write)),

    remove: (input) => withIdempotencyLock(input, () => remove(input)),
  } satisfies StoreActions;

  async function remove(input: InputWith<'name'>): Promise<Outcome> {
    const { name } = input;
    const expected = objectCondition(input.expected);
    const etag = expected?.kind === 'etag' ? expected.etag : (await objects.head(name))?.etag;
    if (!etag) {
      // An earlier removal may have crashed after it removed the object and before it removed the row.
      await rows.remove(name);
      return missing();
    }
    if ((await objects.remove(name, etag)) === 'lost') return stale;
    await rows.remove(name);
    await reconcileRow({ objects, rows }, name, undefined, input.now);
    return done;
  }

  async function write(input: InputWith<'name' | 'sent'>): Promise<Outcome> {
    const { name, sent, expected, now } = input;
    const { bytes, mediaType } = sent;
    const digest = sha256(bytes);
    const etag = await objects.put(name, { bytes, mediaType, sha256: digest }, objectCondition(expected));
    if (etag === 'lost') {
      // S3 may have done this write although its response was lost. The row then follows the present object.
      await reconcileRow({ objects, rows }, name, undefined, now);
      return stale;
    }
    const facts = { etag, size: bytes.length, lastModified: now, mediaType, sha256: digest };
    const { item, existed } = await rows.put(name, facts, now);
    await reconcileRow({ objects, rows }, name, facts, now);
    const isReplaced = expected ? expected.kind === 'etag' : existed;
    return {
      kind: isReplaced ? 'replaced' : 'created',
      state: { kind: 'item', item },
      location: `/${resource.name}/${encodeURIComponent(name)}`,
      etag,
    };
  }
}
