import { Fault, notImplemented } from '../fault.ts';
import type { EngineRequest } from '../wire.ts';
import type { StoredObject } from './s3.ts';

type Headers = EngineRequest['headers'];
type Version = Pick<StoredObject, 'etag' | 'modified'>;

/**
 * Compares an object with the four conditions of a read. An entity tag decides before a date: If-Match overrides
 * If-Unmodified-Since, and If-None-Match overrides If-Modified-Since. S3 ignores a malformed date.
 * @param prefix of the field names: `x-amz-copy-source-` for the source of a copy
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, which refers to RFC 7232.
 */
export function compareForRead(
  headers: Headers,
  { etag, modified }: Version,
  prefix = '',
): 'read' | 'not-modified' | 'failed' {
  const second = Math.floor(modified / 1000) * 1000;
  const since = (date: string | undefined): boolean | undefined => {
    const time = date === undefined ? undefined : timeOf(date);
    return time === undefined ? undefined : second > time;
  };
  const ifMatch = headers[`${prefix}if-match`];
  const isSame =
    ifMatch === undefined ? since(headers[`${prefix}if-unmodified-since`]) !== true : lists(ifMatch, etag);
  if (!isSame) return 'failed';
  const ifNoneMatch = headers[`${prefix}if-none-match`];
  // A cache on the way can mark a tag as weak. Only If-Match needs a strong one.
  const isNew =
    ifNoneMatch === undefined
      ? since(headers[`${prefix}if-modified-since`]) !== false
      : !lists(ifNoneMatch.replaceAll('W/', ''), etag);
  return isNew ? 'read' : 'not-modified';
}

/**
 * Refuses conditions that S3 does not document for a write: If-None-Match takes `*`, If-Match one entity tag, and a
 * request has one of them. @throws NotImplemented (501)
 */
export function requireWriteConditions({ 'if-match': match, 'if-none-match': noneMatch }: Headers): void {
  if ((noneMatch ?? '*').trim() !== '*') throw notImplemented('S3 If-None-Match with a tag');
  if (match?.trim() === '*') throw notImplemented('S3 If-Match: * of a write');
  if (match !== undefined && noneMatch !== undefined)
    throw notImplemented('S3 If-Match with If-None-Match of a write');
}

/**
 * Checks the condition of a write against the current object. A write knows no dates.
 * @throws PreconditionFailed (412), NoSuchKey (404) for If-Match without an object
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html;
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html, If-Match and If-None-Match.
 */
export function checkWrite(headers: Headers, current: Version | undefined): void {
  checkMatch(headers, current);
  if (headers['if-none-match'] !== undefined && current) throw preconditionFailed();
}

/**
 * Checks If-Match, the only condition of a deletion: one entity tag, or `*` for any object.
 * @throws PreconditionFailed (412), NoSuchKey (404) without an object
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html.
 */
export function checkMatch({ 'if-match': match }: Headers, current: Version | undefined): void {
  if (match === undefined) return;
  if (!current) throw new Fault('NoSuchKey', 'The specified key does not exist.', 404);
  if (!lists(match, current.etag)) throw preconditionFailed();
}

/** S3's error for a condition that does not hold. */
export const preconditionFailed = (): Fault =>
  new Fault('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412);

/** True if a field is `*` or lists an entity tag. S3 takes tags without quotes too, and its tags have no commas. */
function lists(field: string, etag: string): boolean {
  const tags = field.split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag === etag || `"${tag}"` === etag);
}

/**
 * Reads an HTTP date in one of its three formats, in ms since 1970; undefined if it is malformed.
 * Source: RFC 7231 §7.1.1.1, to which RFC 7232 refers.
 */
function timeOf(field: string): number | undefined {
  // The platform would read the format without a zone as local time.
  const time = Date.parse(field.endsWith(' GMT') ? field : `${field} GMT`);
  if (Number.isNaN(time)) return undefined;
  // The platform reads other formats too, and 30 February as 1 March. Only a date has the right weekday in front.
  return field.startsWith(new Date(time).toUTCString().slice(0, 3)) ? time : undefined;
}
