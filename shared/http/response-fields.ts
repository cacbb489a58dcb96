/** What CORS and the API description know of a header field of responses. */
interface ResponseField {
  /** Scripts of other origins may read it. Browsers let them read `Cache-Control` and a few others anyway. */
  readonly exposed?: true;
  /** Every response can have it. */
  readonly everywhere?: true;
}

const exposed: ResponseField = { exposed: true };
const everywhere: ResponseField = { everywhere: true };

/**
 * The header fields of responses. CORS exposes them by this table, and the API description has a text for each.
 *
 * Source: Fetch standard, "CORS-exposed header-name list".
 */
export const RESPONSE_FIELDS = {
  ETag: exposed,
  Location: exposed,
  Link: exposed,
  'Link-Template': exposed,
  'Memento-Datetime': exposed,
  Allow: exposed,
  Accept: {},
  'Accept-Encoding': {},
  'Accept-Patch': exposed,
  'Accept-Post': exposed,
  'Accept-Ranges': exposed,
  'Access-Control-Allow-Headers': {},
  'Access-Control-Allow-Methods': {},
  'Access-Control-Allow-Origin': everywhere,
  'Access-Control-Expose-Headers': everywhere,
  'Access-Control-Max-Age': {},
  'Cache-Control': {},
  'Cache-Groups': exposed,
  'Cache-Group-Invalidation': exposed,
  'Content-Range': exposed,
  'Content-Location': exposed,
  'Content-Digest': exposed,
  'Content-Disposition': {},
  'Content-Encoding': everywhere,
  'Content-Security-Policy': {},
  'Repr-Digest': exposed,
  'Retry-After': exposed,
  RateLimit: exposed,
  'RateLimit-Policy': exposed,
  'Preference-Applied': { exposed: true, everywhere: true },
  'Idempotency-Replayed': exposed,
  'Last-Modified': {},
  Deprecation: exposed,
  Sunset: exposed,
  Refresh: {},
  'Referrer-Policy': {},
  'Server-Timing': everywhere,
  'Strict-Transport-Security': everywhere,
  Vary: everywhere,
  'WWW-Authenticate': exposed,
  'X-Content-Type-Options': everywhere,
} as const satisfies Readonly<Record<string, ResponseField>>;

/** The name of a header field of responses. */
export type ResponseFieldName = keyof typeof RESPONSE_FIELDS;

const namesWith = (fact: keyof ResponseField): readonly ResponseFieldName[] =>
  (Object.keys(RESPONSE_FIELDS) as ResponseFieldName[]).filter((name) => {
    const field: ResponseField = RESPONSE_FIELDS[name];
    return field[fact] === true;
  });

/** The header fields that scripts of other origins may read. */
export const EXPOSED_FIELDS = namesWith('exposed');

/** The header fields that every response can have. */
export const FIELDS_EVERYWHERE = namesWith('everywhere');
