import { isInRange, mediaTypeFault } from '../../http/fields/media-type.ts';
import { MAXIMUM_BYTES } from '../../http/maximum-sizes.ts';
import { mediaTypeFor } from '../../representations/files/media-type.ts';
import type { Content } from '../content.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Received, Targeted } from '../exchange.ts';
import { mediaTypeOf } from './body.ts';

const NO_BYTES = new Uint8Array();

/** Accepts the content as bytes. A file may have any media type. A binary property may demand one kind. */
export async function readBytes({
  request,
  resource,
  route,
  parameters,
}: Received & Targeted): Promise<Content | Ending<400 | 413 | 415>> {
  const field = request.headers['content-type'];
  const bytes = request.content() ?? NO_BYTES;
  const range = route.binary?.kind === 'declared' ? route.binary.accepts : undefined;
  const mediaType = await mediaTypeFor(field, { name: parameters.name, bytes });
  if (
    (field !== undefined && !mediaTypeOf(request)) ||
    (range !== undefined && !isInRange(mediaType, range))
  ) {
    return refuse('unsupported-media-type', `The Content-Type must be ${range ?? 'a media type'}`, {
      headers: { Accept: range ?? '*/*' },
    });
  }
  const wrong = mediaTypeFault(mediaType);
  if (wrong) {
    return refuse('validation-error', 'The media type cannot be stored. Correct Content-Type', {
      errors: [{ header: 'Content-Type', detail: wrong }],
    });
  }
  if (bytes.length > MAXIMUM_BYTES) {
    const { detail, members } = tooLarge(route.binary ? undefined : `/${resource.name}`);
    return refuse('payload-too-large', detail, { members: members(request.basePath) });
  }
  return { kind: 'bytes', sent: { bytes, mediaType: mediaType.trim() } };
}

/**
 * The detail and the properties of the problem for content that is too large for one request. `collection`: the
 * path, without base path, that accepts manifests of larger files; undefined: no path does. `members` takes the base path.
 */
function tooLarge(collection?: string) {
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
