import type { LinkFact } from '../resource/link.ts';
import { formatCursor, listIdentity } from '../resource/lists/cursor.ts';
import type { ListPosition, Page, PageQuery } from '../resource/lists/page.ts';

/**
 * The address of a list: `path` with base path, and the query parameters of all its pages (sort, filters, fields).
 */
export interface ListAddress {
  readonly path: string;
  /** The path in the digest of cursors, without base path. */
  readonly identity: string;
  readonly parameters: readonly (readonly [string, string])[];
}

/** The URI of another page of the same list. */
export function pageHref(
  { path, identity, parameters }: ListAddress,
  query: PageQuery,
  offset: number,
  position?: ListPosition,
): string {
  const search = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
  search.set('limit', String(query.limit));
  search.set('offset', String(offset));
  if (position) search.set('after', formatCursor(listIdentity(identity, query), position, offset));
  return `${path}?${search}`;
}

/** The links first, prev and next, each only if the page exists. Source: RFC 8288 (IANA link relations). */
export function pageLinks(address: ListAddress, query: PageQuery, page: Page): LinkFact[] {
  const { limit, offset } = query;
  const links: LinkFact[] = [{ rel: 'first', href: pageHref(address, query, 0), method: 'GET' }];
  if (limit > 0 && (page.previous || (offset > 0 && !query.after?.backwards))) {
    const href = pageHref(address, query, Math.max(0, offset - limit), page.previous);
    links.push({ rel: 'prev', href, method: 'GET' });
  }
  if (page.next) {
    const href = pageHref(address, query, offset + page.items.length, page.next);
    links.push({ rel: 'next', href, method: 'GET' });
  }
  return links;
}
