import { config } from '../../shared/aws/config.ts';
import { publish } from './batches.ts';
import { entryOf } from './entry.ts';
import type { RecordedChange } from './read-changes.ts';

/** Publishes changes to the bus. Returns the sequence number of the first one that failed; undefined: none did. */
export async function publishChanges(changes: readonly RecordedChange[]): Promise<string | undefined> {
  const pending = changes.map(({ change: { event }, sequenceNumber }) => ({
    entry: entryOf(event, config.eventBus()),
    subject: event.subject,
    sequenceNumber,
  }));
  return (await publish(pending))?.sequenceNumber;
}
