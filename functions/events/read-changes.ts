import type { DynamoDBRecord } from 'aws-lambda';
import { faultOf, log } from '../../shared/aws/log.ts';
import type { ItemChange } from '../../shared/events/cloud-event.ts';
import { publishedChange, resourceOf } from '../../shared/events/records.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** A change of an item, with its event and its record. */
export interface RecordedChange {
  readonly resource: Resource;
  readonly change: ItemChange;
  readonly record: DynamoDBRecord;
  readonly sequenceNumber: string;
}

/** Reads the changes before the first unreadable record. `refused`: the sequence number of that record. */
export async function readChanges(
  registry: readonly Resource[],
  records: readonly DynamoDBRecord[],
): Promise<{ readonly changes: readonly RecordedChange[]; readonly refused?: string }> {
  const changes: RecordedChange[] = [];
  for (const record of records) {
    const sequenceNumber = record.dynamodb?.SequenceNumber ?? '';
    try {
      const resource = resourceOf(registry, record);
      const change = await publishedChange(resource, record);
      if (change) changes.push({ resource, change, record, sequenceNumber });
    } catch (error) {
      log('error', faultOf(error));
      return { changes, refused: sequenceNumber };
    }
  }
  return { changes };
}
