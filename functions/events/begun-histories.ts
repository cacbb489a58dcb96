import type { DynamoDBRecord } from 'aws-lambda';
import { attributesIn } from '../../shared/events/cloud-event.ts';
import { resourceOf } from '../../shared/events/records.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { CONSTRAINT } from '../../shared/store/form/table.ts';
import { beginEpoch } from '../../shared/store/items/log-epochs.ts';
import { inventoryIn } from '../../shared/store/write/stored-inventory.ts';
import { loggedFor } from './log-changes.ts';

/**
 * Makes a function that begins new epochs of the log, because the log skips the changes of a resource without history, unless
 * an undo or subscriptions need them:
 * when the inventory of a table says that the history ended or began, and before this process skips the first change. The
 * inventory is enough, except while functions of two releases run.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 17.7.
 */
export function epochsOf(
  registry: readonly Resource[],
): (records: readonly DynamoDBRecord[]) => Promise<void> {
  // A service without histories has no log.
  if (!registry.some(({ history }) => history)) return async () => {};
  const isSkipped = (resource: Resource) => !loggedFor(resource, registry);
  const skipped = new Set<Resource>();
  return async (records) => {
    for (const [resource, some] of Map.groupBy(records, (record) => resourceOf(registry, record))) {
      if (some.some(hasOtherHistory)) await beginEpoch(resource);
      else if (isSkipped(resource) && !skipped.has(resource)) await beginEpoch(resource, { known: true });
      if (isSkipped(resource)) skipped.add(resource);
    }
  };
}

/** True if a record says that the history of a table ended or began. */
function hasOtherHistory({ dynamodb }: DynamoDBRecord): boolean {
  const { OldImage, NewImage } = dynamodb ?? {};
  if (!OldImage?.[CONSTRAINT] || !NewImage) return false;
  const [before, after] = [OldImage, NewImage].map((one) => inventoryIn(attributesIn(one))?.history);
  return before !== undefined && after !== undefined && before !== after;
}
