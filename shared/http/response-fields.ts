/** What CORS knows of a header field of responses. */
interface ResponseField {
  /** Scripts of other origins may read it. Browsers let them read `Cache-Control` and a few others anyway. */
  readonly exposed?: true;
}

const exposed: ResponseField = { exposed: true };

/**
 * The header fields of responses. CORS exposes them by this table.
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
  'Access-Control-Allow-Origin': {},
  'Access-Control-Expose-Headers': {},
  'Access-Control-Max-Age': {},
  'Cache-Control': {},
  'Cache-Groups': exposed,
  'Cache-Group-Invalidation': exposed,
  'Content-Range': exposed,
  'Content-Location': exposed,
  'Content-Digest': exposed,
  'Content-Disposition': {},
  'Content-Encoding': {},
  'Content-Security-Policy': {},
  'Repr-Digest': exposed,
  'Retry-After': exposed,
  RateLimit: exposed,
  'RateLimit-Policy': exposed,
  'Preference-Applied': exposed,
  'Idempotency-Replayed': exposed,
  'Ignored-Parameters': exposed,
  'Last-Modified': {},
  Deprecation: exposed,
  Sunset: exposed,
  Refresh: {},
  'Referrer-Policy': {},
  'Server-Timing': {},
  'Strict-Transport-Security': {},
  Vary: {},
  'WWW-Authenticate': exposed,
  'X-Content-Type-Options': {},
} as const satisfies Readonly<Record<string, ResponseField>>;

/** The name of a header field of responses. */
export type ResponseFieldName = keyof typeof RESPONSE_FIELDS;

/** The header fields that scripts of other origins may read. */
export const EXPOSED_FIELDS = (Object.keys(RESPONSE_FIELDS) as ResponseFieldName[]).filter((name) => {
  const { exposed: isExposed }: ResponseField = RESPONSE_FIELDS[name];
  return isExposed === true;
});
