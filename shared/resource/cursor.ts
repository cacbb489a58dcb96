import { createHash } from 'node:crypto';
import type { PageQuery, Position } from './page.ts';

/**
 * A position as an opaque query parameter. It is bound to its list (path, order, filter) by a digest, so that a
 * cursor of another list or one that was tampered with is recognized. The digest is no secret: whoever forges one
 * gets a page of a list they may read anyway, or is told that it is no cursor of the list.
 */
const MAXIMUM_KEY_BYTES = 1024;
const DIGEST_CHARACTERS = 16;

/** What a position is a position in. */
export const listIdentity = (
  path: string,
  { sort, descending, atLeast, equal }: Omit<PageQuery, 'after'>,
): string =>
  JSON.stringify([path, sort, descending, atLeast?.field, atLeast?.value.text, equal?.field, equal?.value]);

const digestOf = (identity: string, payload: string): string =>
  createHash('sha256')
    .update(identity)
    .update('\n')
    .update(payload)
    .digest('base64url')
    .slice(0, DIGEST_CHARACTERS);

/** Writes a position as a cursor of the list with this identity. */
export function formatCursor(identity: string, { key, id, backwards }: Position): string {
  const payload = Buffer.from(
    JSON.stringify([Buffer.from(key).toString('base64url'), id, backwards ? 1 : 0]),
  ).toString('base64url');
  return payload + digestOf(identity, payload);
}

/** Reads a cursor; undefined when it is none of this list's. */
export function parseCursor(identity: string, text: string, kind: 'integer' | 'text'): Position | undefined {
  const payload = text.slice(0, -DIGEST_CHARACTERS);
  if (payload.length > 4096 || digestOf(identity, payload) !== text.slice(-DIGEST_CHARACTERS))
    return undefined;
  try {
    const [key, id, backwards] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    const fits =
      kind === 'text' ? typeof id === 'string' && id !== '' : Number.isSafeInteger(id) && (id as number) >= 0;
    if (typeof key !== 'string' || !fits) return undefined;
    const bytes = Buffer.from(key, 'base64url');
    if (bytes.length === 0 || bytes.length > MAXIMUM_KEY_BYTES) return undefined;
    return { key: bytes, id: id as string | number, backwards: backwards === 1 };
  } catch {
    return undefined;
  }
}
