import type { ResponseFieldName } from '../../shared/http/response-fields.ts';
import { type Reference, type Response, ref, type Schema } from '../model.ts';
import { ENTITY_TAG, HTTP_DATE } from '../requests/syntax.ts';

interface Header {
  readonly description: string;
  readonly schema: Schema;
}

const field = (description: string, example: string, more: Schema = {}): Header => ({
  description,
  schema: { type: 'string', maxLength: 10_240, ...more, examples: [example] },
});

const DATE = { pattern: HTTP_DATE };
const DIGEST = 'sha-256=:fKMQ9Xtp9aWc8dn4IeTv0htzNaGvkmQCNL998MsaHjw=:';

/**
 * Header fields that some responses have and clients read. The text of the description has those of every response, and
 * those for browsers and caches.
 */
const HEADERS = {
  'Accept-Ranges': field('Clients can request byte ranges. RFC 9110 §14.3.', 'bytes', { enum: ['bytes'] }),
  'Content-Digest': field('The digest of this content. RFC 9530 §2.', DIGEST),
  'Content-Disposition': field('The browser saves the file and does not show it. RFC 6266 §4.', 'attachment'),
  'Content-Location': field('The URI of this representation. RFC 9110 §8.7.', '/members/114811818447734'),
  'Content-Range': field('The bytes in this content. RFC 9110 §14.4.', 'bytes 0-99/3156', {
    pattern: '^bytes (?:[0-9]+-[0-9]+|\\*)/[0-9]+$',
  }),
  Deprecation: field('When the resource became or becomes deprecated. RFC 9745 §2.', '@1782863999', {
    pattern: '^@-?[0-9]+$',
  }),
  ETag: field('The version of this representation. RFC 9110 §8.8.3.', '"1.1-json"', { pattern: ENTITY_TAG }),
  'Idempotency-Replayed': {
    description: 'The response is a replay of the recorded answer to this Idempotency-Key.',
    schema: { type: 'boolean', examples: [true] },
  },
  'Ignored-Parameters': field('The parameters without effect. RFC 9651 §3.1.', '"usrname"'),
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
  'Repr-Digest': field('The digest of the whole representation. RFC 9530 §3.', DIGEST),
  'Retry-After': {
    description: 'Seconds to wait before the next attempt or poll. RFC 9110 §10.2.3.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400, examples: [1] },
  },
  Sunset: field('When the service removes the resource. RFC 8594 §3.', 'Wed, 30 Jun 2027 23:59:59 GMT', DATE),
} as const satisfies Readonly<Partial<Record<ResponseFieldName, Header>>>;

/** Names of header fields of a response. */
export type Names = readonly (keyof typeof HEADERS)[];

/** The header fields of a resource with a lifecycle. */
export const ANNOUNCEMENTS: Names = ['Deprecation', 'Sunset'];

/** Returns the name of the component of a header field: `ETagHeader`. */
const componentName = (name: string): string => `${name.replaceAll('-', '')}Header`;

/** The descriptions of header fields as components. */
export const HEADER_COMPONENTS: Readonly<Record<string, Header>> = Object.fromEntries(
  Object.entries(HEADERS).map(([name, header]) => [componentName(name), header]),
);

/** Returns references to the header fields of a response. */
export const headerRefs = (names: Names): Record<string, Reference> =>
  Object.fromEntries([...names].sort().map((name) => [name, ref('headers', componentName(name))]));

/** Returns a response with these header fields. */
export const response = (
  description: string,
  names: Names,
  more: Pick<Response, 'content'> = {},
): Response => ({ description, headers: headerRefs(names), ...more });

/** With `Accept-Datetime`. Source: RFC 7089 §4.1. */
export const TO_VERSION = response('The version of the time in `Accept-Datetime` is at `Location`.', [
  'Link',
  'Location',
]);
