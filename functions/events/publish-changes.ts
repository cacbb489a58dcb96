import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { config } from '../../shared/aws/config.ts';
import { faultOf, log } from '../../shared/aws/log.ts';
import { entryOf } from '../../shared/events/entry.ts';
import { type Pending, publish } from '../../shared/events/publish.ts';
import { failedFrom, publishedChange, resourceOf } from '../../shared/events/records.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/**
 * The Lambda handler of the tables' streams. It publishes the changes of these resources to the bus. It returns the
 * first change that it failed to publish.
 */
export const publishing =
  (resources: readonly Resource[]) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { pending, refused } = await read(resources, Records);
    return failedFrom((await publish(pending))?.sequenceNumber ?? refused);
  };

/** The entries of the changes before the first unreadable one. `refused`: the sequence number of that one. */
async function read(
  resources: readonly Resource[],
  records: readonly DynamoDBRecord[],
): Promise<{ pending: Pending[]; refused?: string }> {
  const pending: Pending[] = [];
  for (const record of records) {
    const sequenceNumber = record.dynamodb?.SequenceNumber ?? '';
    try {
      const change = await publishedChange(resourceOf(resources, record), record);
      if (!change) continue;
      const { event } = change;
      pending.push({ entry: entryOf(event, config.eventBus()), subject: event.subject, sequenceNumber });
    } catch (error) {
      log('error', faultOf(error));
      return { pending, refused: sequenceNumber };
    }
  }
  return { pending };
}
