import { createHash } from 'node:crypto';
import type { ListPosition, PageQuery } from './page.ts';

/**
 * A cursor is a position in a list as an opaque query parameter. A digest binds it to the path, the sort order and the
 * filters of its list. The service therefore detects a cursor of another list or a changed one. The digest is not
 * secret. A forged cursor gives a page of a list that the client may read anyway, or a 400.
 */

/** Maximum bytes of the sort key in a cursor. An index accepts no longer one. */
const MAXIMUM_KEY_BYTES = 1024;
const DIGEST_CHARACTERS = 16;

/** Identifies the list of a position: path, sort order and filters. */
export const listIdentity = (
  path: string,
  { sortOrder, filters }: Pick<PageQuery, 'sortOrder' | 'filters'>,
): string =>
  JSON.stringify([
    path,
    sortOrder.map(({ field, descending }) => [field, descending]),
    filters.map(({ field, operator, values }) => [field, operator, values.map(String)]),
  ]);

const digestOf = (identity: string, payload: string): string =>
  createHash('sha256')
    .update(identity)
    .update('\n')
    .update(payload)
    .digest('base64url')
    .slice(0, DIGEST_CHARACTERS);

/** Writes a position as a cursor of the list with this identity. `offset`: the number of items before the page. */
export function formatCursor(identity: string, { key, id, backwards }: ListPosition, offset: number): string {
  const payload = Buffer.from(
    JSON.stringify([Buffer.from(key).toString('base64url'), id, backwards ? 1 : 0, offset]),
  ).toString('base64url');
  return payload + digestOf(identity, payload);
}

/** Reads a cursor; undefined if it is not a cursor of this list. `offset`: undefined in cursors of version 0.2.0. */
export function parseCursor(
  identity: string,
  text: string,
  kind: 'integer' | 'text',
): { readonly position: ListPosition; readonly offset: number | undefined } | undefined {
  const payload = text.slice(0, -DIGEST_CHARACTERS);
  if (payload.length > 4096 || digestOf(identity, payload) !== text.slice(-DIGEST_CHARACTERS))
    return undefined;
  try {
    const [key, id, backwards, offset] = JSON.parse(
      Buffer.from(payload, 'base64url').toString(),
    ) as unknown[];
    const fits =
      kind === 'text' ? typeof id === 'string' && id !== '' : Number.isSafeInteger(id) && (id as number) >= 0;
    if (typeof key !== 'string' || !fits) return undefined;
    const bytes = Buffer.from(key, 'base64url');
    if (bytes.length === 0 || bytes.length > MAXIMUM_KEY_BYTES) return undefined;
    const position = { key: bytes, id: id as string | number, backwards: backwards === 1 };
    const isKnown = typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0;
    return { position, offset: isKnown ? offset : undefined };
  } catch {
    return undefined;
  }
}
