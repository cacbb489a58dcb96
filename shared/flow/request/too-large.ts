import { MAXIMUM_BYTES } from '../../http/maximum-sizes.ts';

/**
 * The detail and the properties of the problem for content that is too large for one request. `collection`: the
 * path, without base path, that accepts manifests of larger files; undefined: no path does. `members` takes the base path.
 */
export function tooLarge(collection?: string) {
  const detail = `At most ${MAXIMUM_BYTES} bytes can be sent in one request`;
  if (collection === undefined)
    return { detail: `${detail}. Send less`, members: () => ({ maximum: MAXIMUM_BYTES }) };
  const title = 'Links for larger uploads';
  return {
    detail: `${detail}: announce larger files with POST ${collection}`,
    members: (basePath: string) => ({
      maximum: MAXIMUM_BYTES,
      links: [{ rel: 'collection', href: basePath + collection, method: 'POST', title }],
    }),
  };
}
