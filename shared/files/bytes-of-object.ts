import { fileTag } from '../http/conditional/entity-tag.ts';
import type { Bytes } from '../resource/actions/outcome.ts';
import type { LinkFact } from '../resource/link.ts';
import type { ObjectFacts, Objects, OpenedObject } from './objects.ts';

/** Active types: a browser would run or render them as a page of the service's origin. */
const ACTIVE =
  /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml|[^;]+\+xml)/i;

/** True if the object has an active type, which the service offers as a download. */
export const isActive = ({ mediaType }: Pick<ObjectFacts, 'mediaType'>): boolean => ACTIVE.test(mediaType);

/** Types that a script element or an import runs. Source: HTML Living Standard §8.1.3.7; WHATWG MIME Sniffing §4.6. */
const RUNNABLE =
  /^(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script|^application\/wasm|^(?:text|application)\/json|^[^;]+\+json/i;

/**
 * Returns what a browser may do with bytes from clients. `attachment`: offers active types as a download.
 */
export const protectedAs = (
  mediaType: string,
  attachment: boolean,
): Required<Pick<Bytes, 'headers' | 'isRunnable'>> => ({
  headers: {
    'Content-Security-Policy': 'sandbox',
    ...(attachment && isActive({ mediaType }) ? { 'Content-Disposition': 'attachment' } : {}),
  },
  isRunnable: RUNNABLE.test(mediaType),
});

/** The version of objects that S3 stored before the bucket kept versions. */
export const NULL = 'null';

/** True if the bucket keeps versions of this object. Source: Amazon S3 User Guide, "How S3 Versioning works". */
export const isKept = ({ version }: ObjectFacts): boolean => version !== undefined && version !== NULL;

/** Returns the link from a removed file to its versions. */
export const historyLink = (name: string): LinkFact => ({
  rel: 'version-history',
  href: `/files/${encodeURIComponent(name)}/versions`,
});

/** Returns the bytes of an object for a response, with a sandbox. `attachment`: offers active types as a download. */
export function bytesOfObject(
  objects: Objects,
  key: string,
  { facts, bytes }: OpenedObject,
  attachment: boolean,
): Bytes {
  const { etag, size, lastModified, mediaType, sha256 } = facts;
  return {
    etag: fileTag(facts),
    storedTag: etag,
    size,
    lastModified,
    mediaType,
    sha256,
    ...protectedAs(mediaType, attachment),
    read: async (range) => (range === undefined && bytes) || objects.read(key, etag, range),
  };
}
