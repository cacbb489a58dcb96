import { currentTime } from '../../aws/clock.ts';
import type { RemovedItems } from '../../aws/queue.ts';
import { CONCURRENCY, concurrently } from '../../concurrency/concurrently.ts';
import type { Description } from '../../resource/description/description.ts';
import { clearedReferencesOf, type Reference } from '../../resource/description/references.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { referring } from '../../store/constraints/referring.ts';
import { readItems } from '../../store/items/read-items.ts';
import { missingOf } from '../../store/references.ts';
import { clearItem } from './clear-item.ts';

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
 * Removes the references with `clear` to items that do not exist any more. A repeated call continues where the previous
 * one ended, because it finds only the references that are left. `deadline`: ms since the epoch. Returns false if
 * references may be left at this time.
 *
 * Source: docs/decisions/0054-rules-of-several-items.md.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers of an item continue
 */
export async function clearReferences(
  registry: readonly Resource[],
  { resource: name, ids }: RemovedItems,
  deadline: number,
): Promise<boolean> {
  const all = registry.flatMap(clearedIn).filter(({ to }) => to.resource === name);
  const [first] = all;
  // An import may have stored a removed item again.
  for (const id of first ? await missingOf(first.to, ids) : []) {
    for (const { resource, description, field } of all) {
      const source = { name: resource.name, description };
      for await (const found of referring({ referrer: source, field }, id)) {
        const items = await readItems(source, found);
        const changed = await concurrently(CONCURRENCY.items, [...items.values()], (item) =>
          clearItem(resource, item, { field, id }),
        );
        // Each run clears some references, so that the chain of runs ends.
        if (changed.includes(true) && currentTime() > deadline) return false;
      }
    }
  }
  return true;
}

/**
 * Removes the references of these items with `clear` whose items do not exist: an earlier release, or an import, left
 * them. @throws Unavailable as `clearReferences`
 */
export async function clearMissing(resource: Resource, items: readonly Item[]): Promise<void> {
  for (const { field, to } of clearedIn(resource)) {
    const idOf = ({ values }: Item): number[] => {
      const id = values[field];
      return typeof id === 'number' ? [id] : [];
    };
    const missing = new Set(await missingOf(to, items.flatMap(idOf)));
    await concurrently(CONCURRENCY.items, items, async (item) => {
      for (const id of idOf(item)) if (missing.has(id)) await clearItem(resource, item, { field, id });
    });
  }
}
