import type { Bytes } from '../resource/outcome.ts';
import type { ObjectFacts, Objects } from './objects.ts';

/** Types that a browser would run or render as a page of ours. */
const ACTIVE =
  /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml|[^;]+\+xml)/i;

/** Whether such bytes are offered as a download, wherever they are served. */
export const isActive = ({ mediaType }: ObjectFacts): boolean => ACTIVE.test(mediaType);

/** An object as bytes to be served: never sniffed, never run. `attachment`: active types are offered as a download. */
export function served(objects: Objects, key: string, facts: ObjectFacts, attachment: boolean): Bytes {
  const { etag, size, lastModified, mediaType, sha256 } = facts;
  return {
    etag,
    size,
    lastModified,
    mediaType,
    sha256,
    headers: {
      'Content-Security-Policy': 'sandbox',
      ...(attachment && isActive(facts) ? { 'Content-Disposition': 'attachment' } : {}),
    },
    read: (range) => objects.read(key, etag, range),
  };
}
