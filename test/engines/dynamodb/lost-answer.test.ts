import { describe, expect, test } from '@jest/globals';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { Pages } from '../../../shared/store/lists/pages.ts';
import { attached, resourceOf } from '../attached.ts';

/** The next write reaches the engine, but its response is lost: the SDK sends the write again. */
let losing = false;

describe('a write with a lost response', () => {
  const members = resourceOf('members');
  const items = itemsOf(members, SERVICE);
  attached(async (call, pass) => {
    const answer = await pass(...call);
    if (!losing) return answer;
    losing = false;
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
  });

  const made = (id: number): Item => ({
    id,
    version: 1,
    createdAt: 1,
    updatedAt: 1,
    values: { name: 'a' },
    internal: {},
  });

  test('creates one item', async () => {
    losing = true;
    expect(await items.insert(made(7))).toMatchObject({ kind: 'written' });
    expect(losing).toBe(false);
    const listing = await new Pages(members).list(SERVICE, {
      limit: 10,
      offset: 0,
      sortOrder: [{ field: 'id', descending: false }],
      filters: [],
    });
    expect(listing.kind === 'page' && listing.page.items.map(({ id }) => id)).toEqual([7]);
    expect(await items.insert(made(7))).toEqual({ kind: 'taken' });
  });

  test('replaces conditionally once', async () => {
    await items.insert(made(8));
    losing = true;
    const replaced = await items.replace(8, { name: 'b' }, { now: 2, version: 1 });
    expect(losing).toBe(false);
    expect(replaced).toMatchObject({ kind: 'written', item: { version: 2, values: { name: 'b' } } });
    expect(await items.replace(8, { name: 'c' }, { now: 3, version: 1 })).toEqual({ kind: 'stale' });
    expect(await items.get(8)).toMatchObject({ version: 2, values: { name: 'b' } });
  });
});
