import { NAVIGATION } from '#service';
import type { Document, Place } from '../../representations/representation.ts';
import { nameAbout } from '../item-name.ts';
import { type Content, capitalize } from '../markup.ts';

/**
 * The pages above a path, as names and addresses: a collection, then an item of it.
 *
 * - `segments`: the segments of the path up to the last page.
 * - `name`: the name of the item, if it is known.
 */
export function wayAlong(segments: readonly string[], basePath: string, name?: string): Content['way'] {
  const [first = '', id] = segments;
  const collection = NAVIGATION.collections.find(({ path }) => path === `/${first}`);
  if (!collection) return [];
  const list = [collection.title, basePath + collection.path] as const;
  if (id === undefined) return [list];
  return [list, [name ?? `${capitalize(collection.singular)} ${decoded(id)}`, `${basePath}/${first}/${id}`]];
}

/** The name of the item at a path: the value that names it, or its kind and its number. */
export function nameAt(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  const collection = NAVIGATION.collections.find((one) => path.startsWith(`${one.path}/`));
  const name = values[collection?.names ?? ''];
  return typeof name === 'string' && name !== ''
    ? name
    : (wayAlong(path.split('/').slice(1), '')[1]?.[0] ?? path);
}

/** The pages above a document about an item: the list, and the item. */
export const wayAbout = (document: Document, { path, basePath }: Place): Content['way'] =>
  wayAlong(path.split('/').slice(1, 3), basePath, nameAbout(document));

/** A segment of a path for people; unchanged if its percent-encoding is malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
