import { NAVIGATION } from '#service';
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

/** A segment of a path for people; unchanged if its percent-encoding is malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
