import { essence, type MediaType, parseContentType } from '../../http/fields/media-type.ts';
import type { Fault } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import { type Ending, refuse } from '../ending.ts';
import { MAXIMUM_BODY } from './maximum-sizes.ts';

/** The media type of the content; undefined if `Content-Type` is missing or malformed. Source: RFC 9110 §8.3. */
export function mediaTypeOf({ headers }: Request): MediaType | undefined {
  const field = headers['content-type'];
  return field === undefined ? undefined : parseContentType(field);
}

/** The version of every representation, as the parameter `version` of its media type. Source: Specification 12.2. */
export const VERSION = '1';

/** Refuses content that does not have the syntax of its media type. */
export const refuseMalformed = (mediaType: string | undefined, fault: Fault): Ending<400> =>
  refuse('malformed-body', `The body is not valid ${mediaType}. Correct it at the place in errors`, {
    errors: [fault],
  });

/** Refuses a request without content. */
export const withoutBody = (): Ending<400> =>
  refuse('malformed-body', 'The request has no body. Send one, and its media type in Content-Type');

/**
 * The bytes of the content and their format, or the refusal of unreadable content. `accepted`: the header field
 * that names the accepted formats.
 */
export function readAs<Format extends { readonly mediaTypes: readonly string[] }>(
  request: Request,
  formats: readonly Format[],
  accepted: Readonly<Record<string, string>>,
): { kind: 'bytes'; bytes: Uint8Array; format: Format } | Ending<400 | 413 | 415> {
  const bytes = request.content();
  const mediaType = mediaTypeOf(request);
  if (bytes === undefined && request.headers['content-type'] === undefined) {
    return withoutBody();
  }
  const wanted = mediaType && essence(mediaType);
  const format = formats.find(({ mediaTypes }) => wanted !== undefined && mediaTypes.includes(wanted));
  const charset = mediaType?.parameters.get('charset') ?? 'utf-8';
  // The first row of CSV names the properties. Source: RFC 4180 §3.
  const isNamed = mediaType?.parameters.get('header')?.toLowerCase() !== 'absent';
  if (!format || !isNamed || charset.toLowerCase() !== 'utf-8') {
    return refuse(
      'unsupported-media-type',
      `Send Content-Type with one of ${Object.values(accepted)[0]}, in UTF-8`,
      { headers: accepted },
    );
  }
  if ((mediaType?.parameters.get('version') ?? VERSION) !== VERSION) {
    return refuse('unsupported-media-type', 'There is no such version. Leave version out of the media type', {
      headers: accepted,
    });
  }
  if (bytes === undefined) return withoutBody();
  if (bytes.length > MAXIMUM_BODY) {
    return refuse('payload-too-large', `A body has at most ${MAXIMUM_BODY} bytes. Send less in one request`, {
      members: { maximum: MAXIMUM_BODY },
    });
  }
  return { kind: 'bytes', bytes, format };
}
