import type { Description } from '../../shared/resource/description/description.ts';

/** The properties of an item, by their names. */
type Members = Readonly<Record<string, unknown>>;

/** A longer title does not fit into a heading or a row. Unit: characters (code points). */
const MAXIMUM_TITLE = 120;

/**
 * The name of an item for people, at most 120 characters; undefined if the description states no title, or if the item
 * lacks it. `composed`: the text of several fields.
 */
export function titleOf(
  { title }: Pick<Description, 'title'>,
  members: Members,
  composed?: string,
): string | undefined {
  const value =
    typeof title === 'function' ? title(members) : typeof title === 'string' ? members[title] : composed;
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') return undefined;
  const characters = [...text.slice(0, 2 * MAXIMUM_TITLE + 2)];
  return characters.length > MAXIMUM_TITLE ? `${characters.slice(0, MAXIMUM_TITLE - 1).join('')}…` : text;
}
