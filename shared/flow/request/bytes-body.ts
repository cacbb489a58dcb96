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
  if (bytes.length <= MAXIMUM_BYTES) return { kind: 'bytes', sent: { bytes, mediaType: mediaType.trim() } };
  const maximum = MAXIMUM_BYTES;
  const limit = `At most ${maximum} bytes can be sent in one request`;
  // Only a store of files takes manifests of larger ones.
  if (route.binary) return refuse('payload-too-large', `${limit}. Send less`, { members: { maximum } });
  const collection = `/${resource.name}`;
  const href = request.basePath + collection;
  const links = [{ rel: 'collection', href, method: 'POST', title: 'Links for larger uploads' }];
  const detail = `${limit}: announce larger files with POST ${collection}`;
  return refuse('payload-too-large', detail, { members: { maximum, links } });
}
