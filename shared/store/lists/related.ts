import { SERVICE } from '../../resource/access/owner.ts';
import type { ItemFacts } from '../../resource/description/description.ts';
import type { RelatedReader } from '../../resource/related.ts';
import { type Relation, titleField } from '../../resource/relation.ts';
import { readItems } from '../items/read-items.ts';
import type { Tabled } from '../items/table.ts';
import { Pages } from './pages.ts';

/**
 * Reads related lists from DynamoDB. Identifiers contain the time of creation: the newest item has the greatest. No
 * related list has owners (tools/generate/related.ts), so every caller may see all of its items.
 */
export const relatedReader: RelatedReader = {
  newest: async ({ name, description, field }, value, limit) => {
    const pages = new Pages({
      name,
      description,
      sortable: [],
      table: { whole: false, partitions: [field] },
    });
    const order = [{ field: description.identifier.name, descending: true }];
    const listing = await pages.list(SERVICE, { limit, offset: 0, order, filters: [] }, { field, value });
    return listing.kind === 'page' ? listing.page.items : [];
  },
  read: (of, ids) => readItems(of, ids, SERVICE),
};

/** The text with its first letter in the other case. */
function inOtherCase(text: string): string {
  const [first = ''] = text;
  const upper = first.toUpperCase();
  return (first === upper ? first.toLowerCase() : upper) + text.slice(first.length);
}

/** The facts of a table whose items the service finds by their titles: it reads no other orders of it. */
export const byTitle = (of: ItemFacts): Tabled => ({
  ...of,
  sortable: [titleField(of) ?? []].flat(),
  table: {},
});

/** Finds items in DynamoDB by the index of their titles. A list that is too long to be sorted without it has none. */
export const findByTitle: NonNullable<Relation['find']> = async (of, beginning, caller, limit) => {
  const titled = byTitle(of);
  const [field] = titled.sortable;
  if (field === undefined) return [];
  const pages = new Pages(titled);
  const order = [{ field, descending: false }];
  const found = await Promise.all(
    [...new Set([beginning, inOtherCase(beginning)])].map(async (text) => {
      const filters = text === '' ? [] : [{ field, operator: 'prefix' as const, values: [text] }];
      const listing = await pages.list(caller, { limit, offset: 0, order, filters });
      return listing.kind === 'page' ? listing.page.items : [];
    }),
  );
  return found.flat().slice(0, limit);
};
