import { SERVICE } from '../../resource/access/owner.ts';
import type { RelatedReader } from '../../resource/related.ts';
import { readItems } from '../items/read-items.ts';
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
