import { NAVIGATION } from '#service';
import { decodeSegment } from '../../shared/http/paths.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { Content } from '../markup.ts';
import { headingName, nameAbout } from '../names/item-name.ts';

/**
 * Returns the pages above a path, as names and addresses: a collection, then an item of it. `segments`: those of the
 * path up to the last page. `name`: the name of the item, if it is known.
 */
export function breadcrumbsOf(
  segments: readonly string[],
  basePath: string,
  name?: string,
): Content['breadcrumbs'] {
  const [first = '', id] = segments;
  const collection = NAVIGATION.collections.find(({ path }) => path === `/${first}`);
  if (!collection) return [];
  const list = [collection.title, basePath + collection.newest] as const;
  if (id === undefined) return [list];
  return [
    list,
    [name ?? `${capitalize(collection.singular)} ${decodeSegment(id) ?? id}`, `${basePath}/${first}/${id}`],
  ];
}

/** Returns the name of the item at a path: the value that names it, or its kind and its number. */
export function nameAt(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  const { names = '' } = NAVIGATION.collections.find((one) => path.startsWith(`${one.path}/`)) ?? {};
  return String(values[names] || (breadcrumbsOf(path.split('/').slice(1), '')[1]?.[0] ?? path));
}

/** Returns the pages above a document about an item: the list, and the item. */
export const breadcrumbsAbout = (document: Document, { path, basePath }: Place): Content['breadcrumbs'] =>
  breadcrumbsOf(path.split('/').slice(1, 3), basePath, document.about && nameAbout(document, headingName));
