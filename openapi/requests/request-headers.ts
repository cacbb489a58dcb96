import type { Parameter, Schema } from '../model.ts';
import { DIGESTS, ENTITY_TAGS, IDEMPOTENCY_KEY } from './syntax.ts';

/** Maximum bytes of all header fields together, as in API Gateway. */
const MAXIMUM = 10_240;

/**
 * The example is in the schema. As an example of the parameter, documentation pages would send it with every request.
 */
const header = (name: string, description: string, example: string, rules: Schema = {}): Parameter =>
  own(name, description, { ...rules, examples: [example] });

/** A header field whose value fits one request only, so it has no example. */
const own = (name: string, description: string, rules: Schema): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: MAXIMUM, ...rules },
});

const DATE = 'Sat, 21 Nov 2026 10:10:29 GMT';

/**
 * The service refuses values that do not match a pattern or a format. It ignores unreadable values of fields without
 * one, as their RFCs require. Source: OpenAPI Initiative, Format Registry (http-date).
 */
const fields = [
  header('If-Match', 'Apply the request only if the state has one of these tags. RFC 9110 §13.1.1.', '*', {
    pattern: ENTITY_TAGS,
  }),
  header(
    'If-None-Match',
    'Apply the request only if the state has none of these tags; `*`: only if nothing exists. RFC 9110 §13.1.2.',
    '"0.1-json"',
    {
      pattern: ENTITY_TAGS,
    },
  ),
  header(
    'If-Modified-Since',
    'Return the state only if it has changed since this time. RFC 9110 §13.1.3.',
    DATE,
  ),
  header(
    'If-Unmodified-Since',
    'Apply the request only if the state has not changed since this time. RFC 9110 §13.1.4.',
    DATE,
  ),
  header('Accept-Datetime', 'Redirect to the version of the item at this time. RFC 7089 §2.1.1.', DATE, {
    format: 'http-date',
  }),
  header('Range', 'The bytes to return: up to five ranges. RFC 9110 §14.2.', 'bytes=0-99'),
  header(
    'If-Range',
    'Return ranges only if the state still has this validator, otherwise the whole. RFC 9110 §13.1.5.',
    DATE,
  ),
  header(
    'Prefer',
    'return=minimal: no body; return=representation: the new state; count=exact: count the list; handling=strict: refuse unknown parameters; handling=lenient: apply each element of a bulk request separately; max-affected=9: refuse to remove more items; respond-async: run the request as an operation; wait=5: wait up to 5 seconds for the operation; server-timing: add the field Server-Timing. RFC 7240.',
    'count=exact',
  ),
  own(
    'Idempotency-Key',
    'The service applies requests with the same key once. Use a new key for each new request, such as `"8e03978e-40d5-43dd-bc93-6894a57f9324"`. draft-ietf-httpapi-idempotency-key-header.',
    { minLength: 1, maxLength: 512, pattern: IDEMPOTENCY_KEY },
  ),
  own(
    'Content-Digest',
    'The digest of the content, which the service verifies: `sha-256=:…:`. RFC 9530 §2.',
    {
      pattern: DIGESTS,
    },
  ),
  own(
    'Repr-Digest',
    'The digest of the representation, which the service verifies: `sha-256=:…:`. RFC 9530 §3.',
    {
      pattern: DIGESTS,
    },
  ),
];

/**
 * Header fields of requests, by name. OpenAPI itself describes Accept, Content-Type and Authorization. Source:
 * OpenAPI 3.1.1 §4.8.12.2.
 */
export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  fields.map((one) => [one.name, one]),
);
