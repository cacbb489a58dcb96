import { registry } from '../../../service/registry.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Item } from '../../../shared/resource/item.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { type Items, itemsOf as itemsOfCaller } from '../../../shared/store/items/items.ts';
import { newItem } from '../../../shared/store/write/new-item.ts';

/** The time of a seeded item. Times and ids are the same in every run, because the ids decide the rows of each shard. */
export const timeAt = (at: number): number => Date.UTC(2026, 5, 1) + at;
/** The identifier of a seeded item. */
export const idAt = (at: number): number =>
  (timeAt(at) - Date.UTC(2026, 0, 1)) * 4096 + ((at * 2_654_435_761) % 4096);

const resourceOf = (name: string): Resource => registry.find((one) => one.name === name) as Resource;

/** The items of a resource. */
export const itemsOf = (name: string): Items => itemsOfCaller(resourceOf(name), SERVICE);

/** Creates items, from the given number on. */
export async function seed(name: string, count: number, valuesOf: (at: number) => Item['values'], from = 0) {
  const items = itemsOf(name);
  for (let at = from; at < from + count; at += 1) {
    await items.insert(newItem(resourceOf(name), SERVICE, timeAt(at), valuesOf(at), idAt(at)));
  }
}

/** The values of a seeded order without a customer. */
export const orderValues = (at: number): Item['values'] => ({
  productId: at % 50,
  quantity: 1 + (at % 9),
  orderValue: Decimal.parse(`${(at * 7919) % 100_000}.${at % 100}`) as Decimal,
  status: 'created',
});
