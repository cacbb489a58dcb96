/**
 * The syntax of header fields as regular expressions.
 *
 * Source: RFC 9110 §8.8.3 (entity-tag), §5.6.7 (HTTP-date), §8.3.1 (media-type); draft-ietf-httpapi-idempotency-key-header
 * §2.1 with RFC 8941 §3.3.3 (strings).
 */
export const ENTITY_TAG = '^(?:W/)?"[!#-~]*"$';
export const ENTITY_TAGS = '^(?:\\*|(?:W/)?"[!#-~]*"(?:[ \\t]*,[ \\t]*(?:W/)?"[!#-~]*")*)?$';
export const HTTP_DATE =
  '^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$';
/** A string of 1 to 255 characters, or the same without quotes. */
export const IDEMPOTENCY_KEY = '^(?:"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~](?:[ -~]{0,253}[!-~])?)$';
const TCHAR = "!#$%&'*+.^_`|~0-9A-Za-z-";
const TOKEN = `[${TCHAR}]+`;
/** A token other than a bare asterisk: only a media range may have that wildcard. */
const NAME = `(?:[${TCHAR.replace('*', '')}][${TCHAR}]*|\\*${TOKEN})`;
export const MEDIA_TYPE = `^${NAME}/${NAME}(?:[ \\t]*;(?:[ \\t]*${TOKEN}=(?:${TOKEN}|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*"))?)*[ \\t]*$`;
