import { FIELDS_EVERYWHERE, type ResponseFieldName } from '../../shared/http/response-fields.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { type Reference, type Response, ref, type Schema } from '../model.ts';
import { ENTITY_TAG, HTTP_DATE } from '../requests/syntax.ts';

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

const seconds = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
  example,
});

const DATE = { pattern: HTTP_DATE };
const DIGEST = 'sha-256=:fKMQ9Xtp9aWc8dn4IeTv0htzNaGvkmQCNL998MsaHjw=:';

/** Names of header fields of a response. */
export type Names = readonly ResponseFieldName[];

/** The header field of responses to requests that a preference can change. */
export const PREFERRED: Names = ['Preference-Applied'];

/** Header fields of responses. */
const HEADERS: Readonly<Record<ResponseFieldName, Header>> = {
  Accept: field('The media types that this resource accepts. RFC 9110 §12.5.1.', 'application/json'),
  'Accept-Encoding': field('The content coding that the service accepts. RFC 9110 §12.5.3.', 'gzip', {
    enum: ['gzip', 'identity'],
  }),
  'Accept-Patch': field('The patch formats. RFC 5789 §3.1.', 'application/json-patch+json'),
  'Accept-Post': field('The media types that POST accepts. Linked Data Platform §7.1.', 'application/json'),
  'Accept-Ranges': field('Clients can request byte ranges. RFC 9110 §14.3.', 'bytes', { enum: ['bytes'] }),
  'Access-Control-Allow-Headers': field(
    'Header fields that scripts of other origins can send. Fetch §3.3.3.',
    'If-Match',
  ),
  'Access-Control-Allow-Methods': field(
    'Methods that scripts of other origins can use. Fetch §3.3.3.',
    'GET, HEAD, OPTIONS',
  ),
  'Access-Control-Allow-Origin': field(
    'The origins whose scripts can read this response. Fetch §3.3.3.',
    '*',
  ),
  'Access-Control-Expose-Headers': field(
    'Header fields that scripts of other origins can read. Fetch §3.3.3.',
    'ETag, Location',
  ),
  'Access-Control-Max-Age': seconds('Seconds for which a browser can cache this. Fetch §3.3.3.', 7200),
  Allow: field('The methods of this resource. RFC 9110 §10.2.1.', 'GET, HEAD, OPTIONS'),
  'Cache-Control': field('Rules for caches. RFC 9111 §5.2.2.', 'private, no-cache'),
  'Cache-Groups': field('The group of the response in caches. RFC 9875 §2.', '"members"'),
  'Cache-Group-Invalidation': field(
    'The group that the change invalidates in caches. RFC 9875 §3.',
    '"members"',
  ),
  'Content-Digest': field('The digest of this content. RFC 9530 §2.', DIGEST),
  'Content-Disposition': field('The browser saves the file and does not show it. RFC 6266 §4.', 'attachment'),
  'Content-Encoding': field('The content coding of the body. RFC 9110 §8.4.', 'gzip', {
    enum: ['zstd', 'br', 'gzip'],
  }),
  'Content-Location': field('The URI of this representation. RFC 9110 §8.7.', '/members/114811818447734'),
  'Content-Range': field('The bytes in this content. RFC 9110 §14.4.', 'bytes 0-99/3156', {
    pattern: '^bytes (?:[0-9]+-[0-9]+|\\*)/[0-9]+$',
  }),
  'Content-Security-Policy': field('Restrictions for browsers. CSP Level 3 §3.1.', 'sandbox'),
  Deprecation: field('When the resource became or becomes deprecated. RFC 9745 §2.', '@1782863999', {
    pattern: '^@-?[0-9]+$',
  }),
  ETag: field('The version of this representation. RFC 9110 §8.8.3.', '"1.1-json"', { pattern: ENTITY_TAG }),
  'Idempotency-Replayed': {
    description: 'The response is a replay of the recorded answer to this Idempotency-Key.',
    schema: { type: 'boolean' },
    example: true,
  },
  'Last-Modified': field(
    'The time of the last change. RFC 9110 §8.8.2.',
    'Sat, 21 Nov 2026 10:10:29 GMT',
    DATE,
  ),
  Link: field('Links that a client can follow with GET. RFC 8288 §3.', '</members>; rel="collection"'),
  'Link-Template': field(
    'The filters and the other parameters of lists, as URI templates. RFC 9652 §2.',
    '"/members{?id,username,name,sort,limit}"; rel="search"',
  ),
  'Memento-Datetime': field(
    'The time at which the version began. RFC 7089 §2.1.1.',
    'Sat, 21 Nov 2026 10:10:29 GMT',
    DATE,
  ),
  Location: field('The URI of the new resource. RFC 9110 §10.2.2.', '/members/114811818447734', {
    format: 'uri-reference',
  }),
  'Preference-Applied': field('The preferences that the service applied. RFC 7240 §3.', 'return=minimal'),
  RateLimit: field(
    'What the limit still allows, and the seconds until it allows more. draft-ietf-httpapi-ratelimit-headers §4.',
    '"strictest";r=0;t=1',
  ),
  'RateLimit-Policy': field(
    'The strictest limit of the gateway: requests (q) in seconds (w). draft-ietf-httpapi-ratelimit-headers §3.',
    '"strictest";q=100;w=1',
  ),
  Refresh: seconds('Seconds after which a browser reloads. HTML Living Standard §7.4.6.', 2),
  'Referrer-Policy': field(
    'The URIs that browsers send to other sites. Referrer Policy §4.1.',
    'same-origin',
    { enum: ['same-origin', 'no-referrer'] },
  ),
  'Repr-Digest': field('The digest of the whole representation. RFC 9530 §3.', DIGEST),
  'Retry-After': seconds('Seconds to wait before the next attempt or poll. RFC 9110 §10.2.3.', 1),
  'Server-Timing': field(
    'Duration in ms: the total, and each engine. W3C Server Timing §3.',
    'total;dur=6.2, dynamodb;dur=4.1;desc="1 call", read-units;desc="1"',
  ),
  'Strict-Transport-Security': field('Clients must use TLS from now on. RFC 6797 §6.1.', 'max-age=63072000'),
  Sunset: field('When the service removes the resource. RFC 8594 §3.', 'Wed, 30 Jun 2027 23:59:59 GMT', DATE),
  Vary: field('The request header fields that select the response. RFC 9110 §12.5.5.', 'Accept'),
  'WWW-Authenticate': field('How to authenticate. RFC 9110 §11.6.1.', 'Bearer realm="api"'),
  'X-Content-Type-Options': field('Browsers must not guess another media type. Fetch §3.7.', 'nosniff', {
    enum: ['nosniff'],
  }),
};

/** The header fields of a resource with a lifecycle. */
export const ANNOUNCEMENTS: Names = ['Deprecation', 'Sunset'];

/** Returns the descriptions of all header fields that the responses of these resources can have. */
export const describedFields = (registry: readonly ResourceFacts[]): Readonly<Record<string, Header>> =>
  registry.some(({ lifecycle }) => lifecycle)
    ? HEADERS
    : Object.fromEntries(
        Object.entries(HEADERS).filter(([name]) => !ANNOUNCEMENTS.some((one) => one === name)),
      );

/** Returns references to the header fields of a response and to those of every response. */
export function headerRefs(names: Names): Record<string, Reference> {
  return Object.fromEntries(
    [...names, ...FIELDS_EVERYWHERE].sort().map((name) => [name, ref('headers', name)]),
  );
}

/** Returns a response with these header fields and those of every response. */
export const response = (
  description: string,
  names: Names,
  more: Pick<Response, 'content' | 'links'> = {},
): Response => ({ description, headers: headerRefs(names), ...more });

/** With `Accept-Datetime`. Source: RFC 7089 §4.1. */
export const TO_VERSION = response('The version of the time in `Accept-Datetime` is at `Location`.', [
  'Cache-Control',
  'Link',
  'Location',
  'Vary',
]);
