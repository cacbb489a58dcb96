import { MAXIMUM_BYTES } from '../../http/maximum-sizes.ts';
import type { LinkFact } from '../../resource/link.ts';

/**
 * Texts for the refusal of content that is too large for one request. `members` takes the base path of the service.
 */
export interface TooLarge {
  readonly detail: string;
  readonly members: (basePath: string) => Readonly<Record<string, unknown>>;
}

/**
 * The detail and the properties of the problem for content that is too large for one request. `collection`: the
 * path, without base path, that accepts manifests of larger files; undefined if there is none.
 */
export function tooLarge(collection?: string): TooLarge {
  const detail = `At most ${MAXIMUM_BYTES} bytes can be sent in one request`;
  if (collection === undefined)
    return { detail: `${detail}. Send less`, members: () => ({ maximum: MAXIMUM_BYTES }) };
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
