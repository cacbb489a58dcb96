import type { Parameter, Schema } from './model.ts';
import { BYTE_RANGES, DIGESTS, ENTITY_TAGS, HTTP_DATE } from './syntax.ts';

const header = (name: string, description: string, schema: Schema, example?: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: 8192, ...schema },
  ...(example === undefined ? {} : { example }),
});

const fields = [
  header('If-Match', 'Only if the state is still this one. RFC 9110 §13.1.1.', { pattern: ENTITY_TAGS }),
  header(
    'If-None-Match',
    'Only if the state is not this one; `*`: only if there is none. RFC 9110 §13.1.2.',
    {
      pattern: ENTITY_TAGS,
    },
  ),
  header('If-Modified-Since', 'Only if it was changed since. RFC 9110 §13.1.3.', { pattern: HTTP_DATE }),
  header('If-Unmodified-Since', 'Only if it was not changed since. RFC 9110 §13.1.4.', {
    pattern: HTTP_DATE,
  }),
  header('Range', 'The bytes wanted: up to five ranges. RFC 9110 §14.2.', { pattern: BYTE_RANGES }),
  header('If-Range', 'Ranges only if the state is still this one, otherwise the whole. RFC 9110 §13.1.5.', {
    pattern: `${HTTP_DATE}|^"[!#-~]*"$`,
  }),
  header('Prefer', 'return=minimal, return=representation, handling=strict, count=exact. RFC 7240.', {}),
  header(
    'Idempotency-Key',
    'Makes a repeated request have its effect once. draft-ietf-httpapi-idempotency-key-header.',
    {
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
    },
  ),
  header('Content-Digest', 'The digest of the content, which is checked. RFC 9530 §2.', { pattern: DIGESTS }),
  header('Repr-Digest', 'The digest of the representation, which is checked. RFC 9530 §3.', {
    pattern: DIGESTS,
  }),
];

/** Header fields of requests, by name. Accept, Content-Type and Authorization are OpenAPI's own. Source: OpenAPI 3.1.1 §4.8.12.2. */
export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  fields.map((one) => [one.name, one]),
);
