import type { LinkFact } from '../../resource/link.ts';
import { MAXIMUM_BYTES } from './limits.ts';

/** Why content is refused that one request cannot carry, and the members of the problem where the service stands. */
export interface TooLarge {
  readonly detail: string;
  readonly members: (basePath: string) => Readonly<Record<string, unknown>>;
}

/**
 * What is said of content that one request cannot carry. `collection`: the path, without base path, where larger files are
 * announced; undefined where there is no such place.
 */
export function tooLarge(collection?: string): TooLarge {
  const detail = `At most ${MAXIMUM_BYTES} bytes can be sent in one request`;
  if (collection === undefined) return { detail, members: () => ({ maximum: MAXIMUM_BYTES }) };
  const uploads: LinkFact = {
    rel: 'collection',
    href: collection,
    method: 'POST',
    title: 'Links for larger uploads',
  };
  return {
    detail: `${detail}: announce larger files with POST ${collection}`,
    members: (basePath) => ({
      maximum: MAXIMUM_BYTES,
      links: [{ ...uploads, href: `${basePath}${collection}` }],
    }),
  };
}
