import { ANYONE } from '../../shared/resource/access/owner.ts';
import type { Reader } from '../../shared/resource/access/sight.ts';
import type { Item } from '../../shared/resource/item.ts';
import { type Relation, titleField } from '../../shared/resource/relation.ts';

/** How many items of one name a person can choose from. */
export const MAXIMUM_NAMESAKES = 20;

/**
 * The items that a name can mean: the only one with exactly this title, otherwise those whose titles begin with it, and
 * at most one more than `MAXIMUM_NAMESAKES`. Undefined if the items have no titles to find them by.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function itemsNamed(
  { to, find }: Relation,
  name: string,
  { principal }: Reader,
): Promise<readonly Item[] | undefined> {
  const field = titleField(to);
  if (!find || field === undefined) return undefined;
  // A title that is too long for an input ends with an ellipsis.
  const beginning = name.replace(/…$/, '');
  const found = await find(to, beginning, principal ?? ANYONE, MAXIMUM_NAMESAKES + 1);
  const same = found.filter(
    ({ values }) => String(values[field]).trim().toLowerCase() === name.toLowerCase(),
  );
  return same.length === 1 ? same : found;
}
