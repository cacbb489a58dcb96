import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { registry } from '../../service/registry.ts';
import { log } from '../../shared/aws/log.ts';
import { failedFrom, resourceOf } from '../../shared/events/records.ts';
import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { publishChanges } from './batches.ts';
import { epochsOf } from './begun-histories.ts';
import { logChanges } from './log-changes.ts';
import { orphanedKeys } from './orphaned-bytes.ts';
import { readChanges } from './read-changes.ts';
import { removals, sendRemovals } from './removed.ts';
import { keepSuperseded } from './superseded-versions.ts';
import { isSelectable, wakeFanOut } from './wake-fan-out.ts';

const removed = removals(registry);
const beginEpochs = epochsOf(registry);

/**
 * Keeps the versions that changes of items have replaced, adds the changes to the log, publishes them, and wakes the
 * fan-out for subscriptions. Then it removes the bytes that no item names after them, if the resource keeps no versions,
 * and makes the worker clear the references to removed items. If an engine does not respond, Lambda delivers the batch
 * again. The versions and the log are the same then, and events are published again.
 */
export const handler = observeBackground(
  'events',
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { changes, refused } = await readChanges(registry, Records);
    await beginEpochs(Records);
    await keepSuperseded(registry, Records);
    // `npm run data -- republish` adds the current version of such an item.
    for (const gap of await logChanges(registry, changes))
      log('error', { message: 'The log of changes lacks versions', ...gap });
    const events = changes.filter(({ change }) => !change.isSilent);
    const failed = (await publishChanges(events)) ?? refused;
    const end = Records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
    const published = failed === undefined ? Records : Records.slice(0, Math.max(end, 0));
    if (events.some(({ resource }) => isSelectable(resource, registry))) await wakeFanOut();
    const keys = published
      .filter((record) => !resourceOf(registry, record).history)
      .flatMap((record) => orphanedKeys(record));
    await storedBinaries.discard(keys);
    await sendRemovals(removed(published));
    return failedFrom(failed);
  },
);
