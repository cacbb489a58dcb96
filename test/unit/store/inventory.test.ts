import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  agreement,
  type Form,
  type Inventory,
  isSettled,
  newInventory,
  type Wanted,
  writableShards,
} from '../../../shared/store/form/inventory.ts';

const form = (indexes: readonly string[], version = 1): Form => ({ version, indexes, unique: [] });
const wanting = (indexes: readonly string[], more: Partial<Wanted> = {}): Wanted => ({
  form: form(indexes),
  fields: {},
  shards: 4,
  owner: 'none',
  history: false,
  ...more,
});
const LIFETIME = 10;
const at = (now: number) => ({ now, settling: 6 * LIFETIME });

describe('the inventory of a table', () => {
  const before = newInventory(wanting(['by_id', 'by_name']));

  test('stays for a release that writes the same form', () => {
    expect(agreement(before, wanting(['by_id', 'by_name']), at(9))).toBeUndefined();
  });

  test('lacks a new index until a backfill', () => {
    const after = agreement(before, wanting(['by_age', 'by_id', 'by_name']), at(9));
    expect(after).toMatchObject({ since: 9, complete: { indexes: ['by_id', 'by_name'] } });
  });

  test('loses an index whose keys a release does not write', () => {
    expect(agreement(before, wanting(['by_id']), at(9))?.complete.indexes).toEqual(['by_id']);
  });

  test('keeps the kinds of attributes without a field, and the latest version', () => {
    const later = { form: form(['by_id'], 3), fields: { age: 'integer' as const } };
    const first = agreement(before, wanting([], later), at(9)) as Inventory;
    const second = agreement(first, wanting(['by_id'], { fields: { name: 'text' } }), at(20));
    expect(second).toMatchObject({ fields: { age: 'integer', name: 'text' }, latest: 3 });
    expect(second?.complete.version).toBe(1);
  });

  test('lets writers use more partitions only when every reader knows them', () => {
    const grown = agreement(before, wanting(['by_id', 'by_name'], { shards: 16 }), at(100)) as Inventory;
    expect(grown.shards).toBe(16);
    expect([159, 160].map((now) => writableShards(grown, 16, at(now)))).toEqual([4, 16]);
    expect(agreement(grown, wanting(['by_id', 'by_name'], { shards: 2 }), at(200))).toBeUndefined();
    expect(writableShards(grown, 2, at(200))).toBe(2);
  });
});

const RELEASES = [['by_id'], ['by_age', 'by_id'], ['by_id', 'by_name'], ['by_age', 'by_id', 'by_name']];

/** A table with its inventory, and functions that know the inventory of at most a lifetime ago. */
class Model {
  now = 1000;
  inventory = newInventory(wanting(['by_id']));
  items: Set<string>[] = [new Set(['by_id'])];
  readonly #known = new Map<number, { readonly at: number; readonly inventory: Inventory }>();

  write(release: number, takes: number): void {
    let { inventory, at: read } = this.#known.get(release) ?? { inventory: this.inventory, at: this.now };
    if (this.now - read >= LIFETIME) [inventory, read] = [this.inventory, this.now];
    this.#known.set(release, { inventory, at: read });
    const wanted = wanting(RELEASES[release] ?? []);
    if (agreement(inventory, wanted, at(this.now))) {
      this.inventory = agreement(this.inventory, wanted, at(this.now)) ?? this.inventory;
      this.#known.set(release, { inventory: this.inventory, at: this.now });
    }
    // The write has its effect some time after the function has looked at the inventory.
    this.now += takes;
    this.items.push(new Set(wanted.form.indexes));
  }

  backfill(release: number): void {
    const wanted = wanting(RELEASES[release] ?? []);
    this.inventory = agreement(this.inventory, wanted, at(this.now)) ?? this.inventory;
    if (!isSettled(this.inventory, at(this.now))) return;
    for (const item of this.items) for (const index of wanted.form.indexes) item.add(index);
    this.inventory = { ...this.inventory, complete: wanted.form };
  }

  /** The indexes that readers use although an item lacks its key. */
  wrong(): string[] {
    return this.inventory.complete.indexes.filter((index) => this.items.some((item) => !item.has(index)));
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('write'), release: fc.nat(3), ms: fc.nat(20) }),
  fc.record({ kind: fc.constant('backfill'), release: fc.nat(3), ms: fc.constant(0) }),
  fc.record({ kind: fc.constant('pause'), release: fc.constant(0), ms: fc.nat(100) }),
);

// Specification 13.2
test('no index that readers use lacks an item', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model = new Model();
      for (const { kind, release, ms } of steps) {
        if (kind === 'write') model.write(release, ms);
        else if (kind === 'backfill') model.backfill(release);
        else model.now += ms;
        expect(model.wrong()).toEqual([]);
      }
    }),
    { numRuns: 2000 },
  );
});
