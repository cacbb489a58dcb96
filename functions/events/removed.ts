import type { DynamoDBRecord } from 'aws-lambda';
import type { RemovedItems } from '../../shared/aws/clients/queue.ts';
import { config } from '../../shared/aws/config.ts';
import { resourceOf } from '../../shared/events/records.ts';
import { clearedReferencesOf } from '../../shared/resource/description/references.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { CONSTRAINT } from '../../shared/store/form/table.ts';

/**
 * Makes a function that finds the removed items in records of the tables' streams, if references to them have `clear`. It
 * leaves out items with a history, because they can exist again. The result has one entry for each resource.
 */
export function removals(
  registry: readonly Resource[],
): (records: readonly DynamoDBRecord[]) => RemovedItems[] {
  const names = new Set(registry.flatMap(clearedReferencesOf).map(({ to }) => to.resource));
  const cleared = new Set(registry.filter(({ name, history }) => !history && names.has(name)));
  return (records) => {
    const ids = new Map<string, number[]>();
    for (const record of cleared.size > 0 ? records : []) {
      const resource = resourceOf(registry, record);
      const { OldImage, NewImage } = record.dynamodb ?? {};
      if (!cleared.has(resource) || NewImage || !OldImage || OldImage[CONSTRAINT]) continue;
      const id = Number(OldImage[resource.description?.identifier.name ?? '']?.N);
      ids.set(resource.name, [...(ids.get(resource.name) ?? []), id]);
    }
    return [...ids].map(([resource, of]) => ({ resource, ids: of }));
  };
}

/**
 * Makes the worker clear the references to removed items after the time of a lease. A request that has read an item
 * before its removal ends in this time, so the worker finds the item that it writes.
 *
 * @throws Error of the SDK if SQS does not respond
 */
export async function sendRemovals(removed: readonly RemovedItems[]): Promise<void> {
  for (const items of removed)
    await (await import('../../shared/aws/clients/queue.ts')).sendRemoved(items, config.leaseTime());
}
