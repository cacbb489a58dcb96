/** The media type of a JSON Patch. Source: RFC 6902 §6. */
export const JSON_PATCH = 'application/json-patch+json';
/** The media type of a JSON Merge Patch. Source: RFC 7396 §4. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** The value of `Accept-Patch`. Source: RFC 5789 §3.1. */
export const ACCEPT_PATCH = `${JSON_PATCH}, ${MERGE_PATCH}`;
