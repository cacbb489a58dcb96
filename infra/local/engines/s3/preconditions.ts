import { preconditionFailed, type StoredObject } from './s3.ts';

/**
 * Evaluates the conditions of a GET or HEAD in the RFC's order: If-Match, else If-Unmodified-Since; then
 * If-None-Match, else If-Modified-Since. A date that is none is ignored.
 *
 * Source: RFC 9110 section 13.2.2.
 * @returns whether the answer is 304
 * @throws PreconditionFailed (412)
 */
export function notModified(headers: Record<string, string>, { etag, modified }: StoredObject): boolean {
  const seconds = Math.floor(modified / 1000) * 1000;
  const match = headers['if-match'];
  const unmodified = Date.parse(headers['if-unmodified-since'] ?? '');
  if (match !== undefined) {
    if (!hasTag(match, etag)) throw preconditionFailed('If-Match');
  } else if (seconds > unmodified) throw preconditionFailed('If-Unmodified-Since');
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return hasTag(noneMatch, etag);
  return seconds <= Date.parse(headers['if-modified-since'] ?? '');
}

/** Whether a list of entity tags, or `*`, has this tag. S3 also takes tags without quotes. */
export function hasTag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  return list.split(',').some((tag) => `"${tag.trim().replace(/^W\//, '').replaceAll('"', '')}"` === etag);
}
