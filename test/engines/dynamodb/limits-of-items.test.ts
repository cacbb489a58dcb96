import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../shared/json/value.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Item } from '../../../shared/resource/item.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import { type Items, itemsOf } from '../../../shared/store/items/items.ts';
import { newIdentifier } from '../../../shared/store/write/new-item.ts';
import { transact } from '../../../shared/store/write/transaction.ts';
import { unique } from '../../support/service/under-test.ts';
import { attached, resourceOf } from '../attached.ts';

attached((call, pass) => pass(...call));

/** Members as a release without the limit knows them, and as a release with it does: two of one name. */
const before = resourceOf('members');
const after: Resource = { ...before, atMost: [{ count: 2, of: ['name'], says: 'Two have this name' }] };
const [earlier, later] = [itemsOf(before, SERVICE), itemsOf(after, { subject: 'ada' })];

/** Stores an item. Returns its identifier, or the kind of the refusal. */
async function stored(items: Items, values: JsonObject): Promise<number | string> {
  const now = Date.now();
  const item: Item = {
    id: newIdentifier(now),
    version: 1,
    createdAt: now,
    updatedAt: now,
    values,
    internal: {},
  };
  const result = await items.insert(item);
  return result.kind === 'written' ? result.item.id : result.kind;
}
const put = async (items: Items, id: number | string, values: JsonObject) =>
  (await items.replace(id, values, { now: Date.now() })).kind;

/** Counts an item as a backfill does. Returns true if it names the item as one beyond the limit. */
async function backfilled(id: number | string): Promise<boolean> {
  const item = (await later.get(id)) as Item;
  const { parts, refusals } = await checkConstraints(after, [{ after: item, wasStored: true }]);
  if (parts.length > 0) expect(await transact(parts)).toBeUndefined();
  return refusals.size > 0;
}

// Specification 2.56
test('the service itself changes an item beyond the limit, as when it clears a reference', async () => {
  const name = unique('ada');
  const other = await stored(later, { name: unique('bob') });
  const ids = [await stored(later, { name }), await stored(later, { name })];
  expect(await put(later, other, { name })).toBe('refused');
  expect(await put(itemsOf(after, SERVICE), other, { name })).toBe('written');
  expect((await later.remove(ids[0] ?? 0)).kind).toBe('removed');
  expect(await stored(later, { name })).toBe('refused');
});

describe('items of a release that did not know the limit', () => {
  test('stay, and later writes of their other values succeed', async () => {
    const name = unique('ada');
    const ids = [
      await stored(earlier, { name }),
      await stored(earlier, { name }),
      await stored(earlier, { name }),
    ];
    expect(await put(later, ids[2] as number, { name, email: 'a@example.org' })).toBe('written');
  });

  test('count after a backfill, which names those beyond the limit, each time the same number', async () => {
    const name = unique('ada');
    const ids: (number | string)[] = [];
    for (let at = 0; at < 4; at += 1) ids.push(await stored(earlier, { name }));
    const named = async () => {
      const found: boolean[] = [];
      for (const id of ids) found.push(await backfilled(id));
      return found;
    };
    expect(await named()).toEqual([false, false, true, true]);
    expect(await named()).toEqual([false, false, true, true]);
    expect(await stored(later, { name })).toBe('refused');
    const [first, second, third] = ids;
    for (const id of [first, second]) expect((await later.remove(id ?? 0)).kind).toBe('removed');
    expect(await stored(later, { name })).toBe('refused');
    expect((await later.remove(third ?? 0)).kind).toBe('removed');
    expect(typeof (await stored(later, { name }))).toBe('number');
    expect(await stored(later, { name })).toBe('refused');
  });
});

describe('after a write of a release without the limit, a place', () => {
  test('is free if the write removed or changed its item', async () => {
    const name = unique('ada');
    const [one, two] = [await stored(later, { name }), await stored(later, { name })];
    await earlier.remove(one);
    await put(earlier, two, { name: unique('bob') });
    expect(typeof (await stored(later, { name }))).toBe('number');
    expect(typeof (await stored(later, { name }))).toBe('number');
    expect(await stored(later, { name })).toBe('refused');
  });

  test('goes to one of two items that want it at the same time, its former holder among them', async () => {
    let raced = 0;
    for (let round = 0; round < 20; round += 1) {
      const name = unique('ada');
      const [one] = [await stored(later, { name }), await stored(later, { name })];
      await put(earlier, one, { name: unique('bob') });
      const kinds = await Promise.all([stored(later, { name }), put(later, one, { name })]);
      const taken = kinds.filter((kind) => typeof kind === 'number' || kind === 'written');
      expect(taken.length).toBeLessThanOrEqual(1);
      // A conflict of both writers asks for another attempt.
      if (taken.length === 0) expect(typeof (await stored(later, { name }))).toBe('number');
      expect(await stored(later, { name })).toBe('refused');
      raced += 1;
    }
    expect(raced).toBe(20);
  });
});
