import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { config } from '../aws/config.ts';
import { faultOf, log } from '../aws/log.ts';
import { callerHash } from '../resource/access/caller-hash.ts';
import type { Resource } from '../resource/resource.ts';
import { eventOf } from './cloud-event.ts';
import { entryOf } from './entry.ts';
import { type Pending, publish } from './publish.ts';

/**
 * The Lambda handler of the tables' streams. It publishes the changes of these resources to the bus. It returns the
 * first change that it failed to publish. Lambda retries from there, so that the events of an item stay in order.
 *
 * Source: AWS Lambda Developer Guide, "Configuring partial batch response with DynamoDB and Lambda".
 */
export const publishing =
  (resources: readonly Resource[]) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { pending, refused } = read(resources, Records);
    const failed = (await publish(pending))?.sequenceNumber ?? refused;
    return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  };

/** The entries of the changes before the first unreadable one. `refused`: the sequence number of that one. */
function read(
  resources: readonly Resource[],
  records: readonly DynamoDBRecord[],
): { pending: Pending[]; refused?: string } {
  const key = config.auditKey();
  const hash = key === undefined ? undefined : (subject: string) => callerHash(key, subject);
  const pending: Pending[] = [];
  for (const record of records) {
    const sequenceNumber = record.dynamodb?.SequenceNumber ?? '';
    try {
      const event = eventOf(resourceOf(resources, record), record, hash);
      if (event)
        pending.push({ entry: entryOf(event, config.eventBus()), subject: event.subject, sequenceNumber });
    } catch (error) {
      log('error', faultOf(error));
      return { pending, refused: sequenceNumber };
    }
  }
  return { pending };
}

/**
 * The resource of the table in the ARN of the stream: `arn:…:table/{name}/stream/{label}`.
 *
 * @throws Error if no resource has the table
 */
export function resourceOf(
  resources: readonly Resource[],
  { eventSourceARN = '' }: DynamoDBRecord,
): Resource {
  const table = eventSourceARN.split('/')[1];
  const found = resources.find((one) => one.table && config.tableName(one.name) === table);
  if (!found) throw new Error(`No resource keeps its items in ${eventSourceARN}`);
  return found;
}
