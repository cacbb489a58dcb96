import { formatEntityTag } from '../http/entity-tag.ts';
import { formatHttpDate } from '../http/http-date.ts';
import type { Exchange } from './exchange.ts';

/** ETag and Last-Modified. Source: RFC 9110 §8.8.2, §8.8.3. */
export function validatorHeaders({ validators }: Pick<Exchange, 'validators'>): Record<string, string> {
  const headers: Record<string, string> = {};
  if (validators?.etag) headers.ETag = formatEntityTag(validators.etag);
  if (validators?.lastModified !== undefined)
    headers['Last-Modified'] = formatHttpDate(validators.lastModified);
  return headers;
}
