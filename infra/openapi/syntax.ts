/**
 * The syntax of header fields as regular expressions.
 *
 * Source: RFC 9110 §8.8.3 (entity-tag), §5.6.7 (HTTP-date), §14.1.1 (ranges-specifier); RFC 9530 §2 with
 * RFC 8941 §3.3.5 (byte sequences).
 */
export const ENTITY_TAG = '^(?:W/)?"[!#-~]*"$';
export const ENTITY_TAGS = '^(?:\\*|(?:W/)?"[!#-~]*"(?:[ \\t]*,[ \\t]*(?:W/)?"[!#-~]*")*)$';
export const HTTP_DATE =
  '^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$';
export const BYTE_RANGES = '^bytes=(?:[0-9]+-[0-9]*|-[0-9]+)(?:[ \\t]*,[ \\t]*(?:[0-9]+-[0-9]*|-[0-9]+))*$';
export const DIGESTS =
  '^[a-z][a-z0-9-]*=:[A-Za-z0-9+/]*={0,2}:(?:, ?[a-z][a-z0-9-]*=:[A-Za-z0-9+/]*={0,2}:)*$';
