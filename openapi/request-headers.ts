import type { Parameter, Schema } from './model.ts';
import { DIGESTS, ENTITY_TAGS, IDEMPOTENCY_KEY } from './syntax.ts';

/** Bytes of all header fields together, as the gateway takes them. */
const MAXIMUM = 10_240;

/** The example stands in the schema: beside it, documentation pages would send it with every request. */
const header = (name: string, description: string, example: string, rules: Schema = {}): Parameter =>
  own(name, description, { ...rules, examples: [example] });

/** A header field that is right for one request only, so that an example would be wrong for any other. */
const own = (name: string, description: string, rules: Schema): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: MAXIMUM, ...rules },
});

const DATE = 'Sat, 21 Nov 2026 10:10:29 GMT';

/** What breaks a pattern is refused; fields without one are ignored where they cannot be read, as their RFCs say. */
const fields = [
  header('If-Match', 'Only if the state is still this one. RFC 9110 §13.1.1.', '*', { pattern: ENTITY_TAGS }),
  header(
    'If-None-Match',
    'Only if it is another; `*`: only if there is none. RFC 9110 §13.1.2.',
    '"0.1-json"',
    {
      pattern: ENTITY_TAGS,
    },
  ),
  header('If-Modified-Since', 'Only if it was changed since. RFC 9110 §13.1.3.', DATE),
  header('If-Unmodified-Since', 'Only if it was not changed since. RFC 9110 §13.1.4.', DATE),
  header('Range', 'The bytes wanted: up to five ranges. RFC 9110 §14.2.', 'bytes=0-99'),
  header('If-Range', 'Ranges only if the state is still this one, else the whole. RFC 9110 §13.1.5.', DATE),
  header(
    'Prefer',
    'return=minimal, return=representation, count=exact; handling=strict: no unknown parameters; handling=lenient: of several each by itself; max-affected=9: no more than that many; respond-async: do it later, as an operation; wait=5: the seconds that one would wait for it; server-timing: tell where the time went. RFC 7240.',
    'count=exact',
  ),
  own(
    'Idempotency-Key',
    'A repeated request has its effect once: new for each, as `"8e03978e-40d5-43dd-bc93-6894a57f9324"`. draft-ietf-httpapi-idempotency-key-header.',
    { minLength: 1, maxLength: 512, pattern: IDEMPOTENCY_KEY },
  ),
  own('Content-Digest', 'The digest of the content, which is checked: `sha-256=:…:`. RFC 9530 §2.', {
    pattern: DIGESTS,
  }),
  own('Repr-Digest', 'The digest of the representation, which is checked: `sha-256=:…:`. RFC 9530 §3.', {
    pattern: DIGESTS,
  }),
];

/** Header fields of requests, by name. Accept, Content-Type and Authorization are OpenAPI's own. Source: OpenAPI 3.1.1 §4.8.12.2. */
export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  fields.map((one) => [one.name, one]),
);
