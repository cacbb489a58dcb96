import type { DynamoDBStreamEvent } from 'aws-lambda';
import { registry } from '../../service/registry.ts';
import { resourceOf } from '../../shared/events/records.ts';
import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { keepEnded } from './ended-versions.ts';
import { publishing } from './publish-changes.ts';
import { removals, sendRemovals } from './removed.ts';
import { unnamedKeys } from './unnamed.ts';

const publish = publishing(registry);
const removed = removals(registry);

/**
 * Keeps the versions that changes of items have replaced, and publishes the changes. Then it removes the bytes that no
 * item names after them, if the resource keeps no versions, and makes the worker clear the references to removed items.
 * If an engine does not respond, Lambda delivers the batch again. A row of a version is the same then, and events are
 * published again.
 */
export const handler = observeBackground('events', async (event: DynamoDBStreamEvent) => {
  await keepEnded(registry, event.Records);
  const result = await publish(event);
  const failed = result.batchItemFailures[0]?.itemIdentifier;
  const end = event.Records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
  const published = failed === undefined ? event.Records : event.Records.slice(0, Math.max(end, 0));
  const keys = published
    .filter((record) => !resourceOf(registry, record).history)
    .flatMap((record) => unnamedKeys(record));
  await storedBinaries.discard(keys);
  await sendRemovals(removed(published));
  return result;
});
