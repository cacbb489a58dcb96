import type { RemovedItems } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { attempts } from '../../shared/concurrency/retry.ts';
import * as RETRIES from '../../shared/concurrency/retry-policies.ts';
import { Unavailable } from '../../shared/http/problem.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import type { Description, Reference } from '../../shared/resource/description/description.ts';
import { clearedReferencesOf } from '../../shared/resource/description/references.ts';
import { withRemovals } from '../../shared/resource/description/values.ts';
import type { Item } from '../../shared/resource/item.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { referring } from '../../shared/store/constraints/referring.ts';
import { goneOf } from '../../shared/store/history/returning.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { readItems } from '../../shared/store/items/read-items.ts';
import { missingOf } from '../../shared/store/items/references.ts';
import { forgetClaimed } from './ended-items.ts';

/** A field of a resource whose references the service clears. */
interface Cleared {
  readonly resource: Resource;
  readonly description: Description;
  readonly field: string;
  readonly to: Reference;
}

const clearedIn = (resource: Resource): Cleared[] => {
  const { description } = resource;
  return description ? clearedReferencesOf(resource).map((one) => ({ resource, description, ...one })) : [];
};

/**
 * Removes the references with `clear` to items that are gone: they do not exist, and cannot return. A repeated call finds
 * only the references that are left. `deadline`: ms since the epoch. After it, the call stops and returns the rest of the
 * work for another run. It returns undefined if nothing is left.
 *
 * Source: docs/decisions/0054-rules-of-several-items.md.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers of an item continue
 */
export async function clearReferences(
  registry: readonly Resource[],
  { resource: name, ids, after }: RemovedItems,
  deadline: number,
): Promise<RemovedItems | undefined> {
  const all = registry.flatMap(clearedIn).filter(({ to }) => to.resource === name);
  const [first] = all;
  // An import may have stored a removed item again.
  const gone = first ? await goneIn(registry, first.to, ids) : [];
  const forget = async (id: number) => keepsVersions(registry) && forgetClaimed({ name }, id);
  for (const id of ids) if (!gone.includes(id)) await forget(id);
  for (const [at, id] of gone.entries()) {
    const begun = id === ids[0] ? after : undefined;
    const from = all.findIndex((one) => one.resource.name === begun?.resource && one.field === begun.field);
    for (const [n, { resource, description, field }] of all.slice(Math.max(from, 0)).entries()) {
      const source = { name: resource.name, description };
      const start = from >= 0 && n === 0 ? begun?.id : undefined;
      for await (const found of referring({ referrer: source, field }, id, start)) {
        const { items } = await readItems(source, found, SERVICE);
        await mapConcurrently(CONCURRENCY.items, [...items.values()], (item) =>
          clearItem(resource, item, { field, id }),
        );
        // Each run reads some references, so that the chain of runs ends.
        const last = found.at(-1);
        if (last !== undefined && currentTime() > deadline) {
          const read = { resource: resource.name, field, id: Number(last) };
          return { resource: name, ids: gone.slice(at), after: read };
        }
      }
    }
    await forget(id);
  }
  return undefined;
}

const keepsVersions = (registry: readonly Resource[]): boolean => registry.some(({ history }) => history);

/** The identifiers of those items that do not exist, and cannot return. Only a service with a history has versions. */
const goneIn = (registry: readonly Resource[], to: Reference, ids: readonly number[]): Promise<number[]> =>
  keepsVersions(registry) ? goneOf(to, ids) : missingOf(to, ids);

/**
 * Removes from these items the references with `clear` to items that are gone. An earlier release or an import left such
 * references. @throws Unavailable as `clearReferences`
 */
export async function clearMissing(
  registry: readonly Resource[],
  resource: Resource,
  items: readonly Item[],
): Promise<void> {
  for (const { field, to } of clearedIn(resource)) {
    const idOf = ({ values }: Item): number[] => {
      const id = values[field];
      return typeof id === 'number' ? [id] : [];
    };
    const gone = new Set(await goneIn(registry, to, items.flatMap(idOf)));
    await mapConcurrently(CONCURRENCY.items, items, async (item) => {
      for (const id of idOf(item)) if (gone.has(id)) await clearItem(resource, item, { field, id });
    });
  }
}

/** A reference of an item: its field, and the identifier of the referenced item. */
interface ItemReference {
  readonly field: string;
  readonly id: number;
}

/**
 * Removes a reference from an item, in a new version without an author. An item stays as it is if it has another value
 * meanwhile, or an unknown form. `read`: the item as the caller read it.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers of the item continue
 */
async function clearItem(resource: Resource, read: Item, { field, id }: ItemReference): Promise<void> {
  const items = itemsOf(resource, SERVICE);
  let item: Item | undefined = read;
  for await (const _ of attempts(RETRIES.element)) {
    if (!item || item.unreadable || item.values[field] !== id) return;
    const { [field]: _reference, ...left } = item.values;
    const values = withRemovals(descriptionOf(resource), left);
    const write = { now: currentTime(), version: item.version, before: item };
    const result = await items.replace(item.id, values, write);
    if (result.kind !== 'stale') return;
    item = await items.get(item.id);
  }
  throw new Unavailable(new Error('Conflicts with other writers of an item did not end'));
}
