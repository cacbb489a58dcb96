import type { Reference, Schema } from './model.ts';
import { ref } from './model.ts';
import { ENTITY_TAG, HTTP_DATE } from './syntax.ts';

interface Header {
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

const field = (description: string, example: string, more: Schema = {}): Header => ({
  description,
  schema: { type: 'string', maxLength: 10_240, ...more },
  example,
});

const DIGEST = 'sha-256=:fKMQ9Xtp9aWc8dn4IeTv0htzNaGvkmQCNL998MsaHjw=:';

/** Header fields of responses. Each is described once. */
export const HEADERS: Readonly<Record<string, Header>> = {
  Accept: field('The media types that this resource takes. RFC 9110 §12.5.1.', 'application/json'),
  'Accept-Encoding': field('No content coding is taken. RFC 9110 §12.5.3.', 'identity'),
  'Accept-Patch': field('The patch formats. RFC 5789 §3.1.', 'application/json-patch+json'),
  'Accept-Post': field('What POST takes. Linked Data Platform §7.1.', 'application/json'),
  'Accept-Ranges': field('Byte ranges can be asked for. RFC 9110 §14.3.', 'bytes', { enum: ['bytes'] }),
  'Access-Control-Allow-Headers': field('What scripts of other origins may send. Fetch §3.3.3.', 'If-Match'),
  'Access-Control-Allow-Methods': field('The methods scripts may use. Fetch §3.3.3.', 'GET, HEAD, OPTIONS'),
  'Access-Control-Allow-Origin': field('Whose scripts may read this. Fetch §3.3.3.', '*'),
  'Access-Control-Expose-Headers': field('What scripts may read. Fetch §3.3.3.', 'ETag, Location'),
  'Access-Control-Max-Age': {
    description: 'Seconds a browser may remember this. Fetch §3.3.3.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 7200,
  },
  Allow: field('The methods of this resource. RFC 9110 §10.2.1.', 'GET, HEAD, OPTIONS'),
  'Cache-Control': field('What caches may do. RFC 9111 §5.2.2.', 'private, no-cache'),
  'Content-Digest': field('The digest of this content. RFC 9530 §2.', DIGEST),
  'Content-Disposition': field('To be saved, not shown. RFC 6266 §4.', 'attachment'),
  'Content-Location': field('Where this very representation is. RFC 9110 §8.7.', '/members/114811818447734'),
  'Content-Range': field('The bytes in this content. RFC 9110 §14.4.', 'bytes 0-99/3156', {
    pattern: '^bytes (?:[0-9]+-[0-9]+|\\*)/[0-9]+$',
  }),
  'Content-Security-Policy': field('What a browser may do with it. CSP Level 3 §3.1.', 'sandbox'),
  ETag: field('The version of this representation. RFC 9110 §8.8.3.', '"1.1-json"', { pattern: ENTITY_TAG }),
  'Idempotency-Replayed': {
    description: 'This answer was given before, to the same Idempotency-Key.',
    schema: { type: 'boolean' },
    example: true,
  },
  'Last-Modified': field('When it was changed. RFC 9110 §8.8.2.', 'Sat, 21 Nov 2026 10:10:29 GMT', {
    pattern: HTTP_DATE,
  }),
  Link: field('Links that can be followed by reading. RFC 8288 §3.', '</members>; rel="collection"'),
  Location: field('Where the new resource is. RFC 9110 §10.2.2.', '/members/114811818447734', {
    format: 'uri-reference',
  }),
  'Preference-Applied': field('The preferences that were honoured. RFC 7240 §3.', 'return=minimal'),
  Refresh: {
    description: 'Seconds after which a browser looks again. HTML Living Standard §7.4.6.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 2,
  },
  'Referrer-Policy': field('On pages: what other sites learn of them. Referrer Policy §4.1.', 'same-origin', {
    enum: ['same-origin'],
  }),
  'Repr-Digest': field('The digest of the whole representation. RFC 9530 §3.', DIGEST),
  'Retry-After': {
    description: 'Seconds to wait before trying, or looking, again. RFC 9110 §10.2.3.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 1,
  },
  'Server-Timing': field(
    'Where the time went, in ms: all of it, and each engine. W3C Server Timing §3.',
    'total;dur=6.2, dynamodb;dur=4.1;desc="1 call", read-units;desc="1"',
  ),
  'Strict-Transport-Security': field(
    'Over TLS: use nothing else from now on. RFC 6797 §6.1.',
    'max-age=63072000',
  ),
  Vary: field('What else the answer depends on. RFC 9110 §12.5.5.', 'Accept'),
  'WWW-Authenticate': field('How to authenticate. RFC 9110 §11.6.1.', 'Bearer realm="api"'),
  'X-Content-Type-Options': field('The type is what it says. Fetch §3.7.', 'nosniff', {
    enum: ['nosniff'],
  }),
};

/** On every answer. */
const EVERYWHERE = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  // Any answer can be asked where its time went.
  'Preference-Applied',
  'Server-Timing',
  'Strict-Transport-Security',
  'Vary',
  'X-Content-Type-Options',
];

/** The header fields of a response, by reference, with those that every one has. */
export function headerRefs(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries([...names, ...EVERYWHERE].sort().map((name) => [name, ref('headers', name)]));
}
