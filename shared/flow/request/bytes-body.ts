import { essence, isInRange, mediaTypeFault } from '../../http/fields/media-type.ts';
import type { Content } from '../content.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Received, Targeted } from '../exchange.ts';
import { mediaTypeOf } from './body.ts';
import { MAXIMUM_BYTES } from './maximum-sizes.ts';
import { tooLarge } from './too-large.ts';

const NO_BYTES = new Uint8Array();

/** Accepts the content as bytes. A file may have any media type. A binary property may demand one kind. */
export function readBytes({
  request,
  resource,
  route,
}: Received & Targeted): Content | Ending<400 | 413 | 415> {
  if (request.headers['content-range'] !== undefined) {
    return refuse('validation-error', 'A part cannot be stored: send the whole content', {
      errors: [{ header: 'Content-Range', detail: 'is not allowed with PUT' }],
    });
  }
  const field = request.headers['content-type'];
  const mediaType = mediaTypeOf(request);
  const range = route.binary?.kind === 'declared' ? route.binary.accepts : undefined;
  if (
    (field !== undefined && !mediaType) ||
    (range !== undefined && !(mediaType && isInRange(essence(mediaType), range)))
  ) {
    return refuse('unsupported-media-type', `The Content-Type must be ${range ?? 'a media type'}`, {
      headers: { Accept: range ?? '*/*' },
    });
  }
  const wrong = field !== undefined && mediaTypeFault(field);
  if (wrong) {
    return refuse('validation-error', 'The media type cannot be stored. Correct Content-Type', {
      errors: [{ header: 'Content-Type', detail: wrong }],
    });
  }
  const bytes = request.content() ?? NO_BYTES;
  if (bytes.length > MAXIMUM_BYTES) {
    const { detail, members } = tooLarge(route.binary ? undefined : `/${resource.name}`);
    return refuse('payload-too-large', detail, { members: members(request.basePath) });
  }
  return { kind: 'bytes', sent: { bytes, mediaType: field?.trim() ?? 'application/octet-stream' } };
}
