import { createHash } from 'node:crypto';
import type { Actions, Asked, Expected, SentBytes } from '../resource/action.ts';
import { done, missing, type Outcome, stale } from '../resource/outcome.ts';
import type { PageQuery } from '../resource/page.ts';
import type { Resource } from '../resource/resource.ts';
import { Pages } from '../store/pages.ts';
import { listingOutcome } from '../store/stored.ts';
import { type ObjectCondition, Objects } from './objects.ts';
import { Rows } from './rows.ts';
import { served } from './served.ts';

/** The SHA-256 of the bytes, in base64. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/** The condition in S3's terms. */
export const objectCondition = (expected: Expected): ObjectCondition =>
  expected && 'version' in expected ? undefined : expected;

/**
 * The actions of a store of files: bytes in S3, listed from rows in DynamoDB. The object is written first, then its
 * row; what a crash leaves between the two is reconciled, and never shown as half a file.
 */
export function filed(resource: Resource) {
  const objects = new Objects('files/');
  const rows = new Rows(resource);
  const pages = new Pages(resource);
  const nameOf = ({ parameters }: Asked) => parameters.filename as string;

  return {
    list: async ({ page }) => listingOutcome(await pages.list(page as PageQuery)),

    read: async (asked) => {
      const name = nameOf(asked);
      const facts = await objects.head(name);
      if (!facts) return missing();
      return { kind: 'found', state: { kind: 'bytes', bytes: served(objects, name, facts, true) } };
    },

    write: async (asked): Promise<Outcome> => {
      const { sent, expected, now } = asked;
      const name = nameOf(asked);
      const { bytes, mediaType } = sent as SentBytes;
      const digest = sha256(bytes);
      const etag = await objects.put(name, { bytes, mediaType, sha256: digest }, objectCondition(expected));
      if (etag === 'lost') return stale;
      const facts = { etag, size: bytes.length, lastModified: now, mediaType, sha256: digest };
      const { item, earlier } = await rows.put(name, facts, now);
      // Another writer was at it since this request came: S3 tells whose object stands.
      if (earlier !== undefined && earlier >= now) await settle(name);
      const kind = expected ? 'etag' in expected : earlier !== undefined;
      return {
        kind: kind ? 'replaced' : 'created',
        state: { kind: 'item', item },
        location: `/${resource.name}/${encodeURIComponent(name)}`,
        etag,
      };
    },

    remove: async (asked) => {
      const name = nameOf(asked);
      const expected = objectCondition(asked.expected);
      const etag = expected && 'etag' in expected ? expected.etag : (await objects.head(name))?.etag;
      if (!etag) return missing();
      if ((await objects.remove(name, etag)) === 'lost') return stale;
      await rows.remove(name);
      return done;
    },
  } satisfies Actions;

  /** Makes the row say what the object says. */
  async function settle(name: string): Promise<void> {
    const facts = await objects.head(name);
    if (facts) await rows.put(name, facts, facts.lastModified);
    else await rows.remove(name);
  }
}
