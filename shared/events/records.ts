import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { auditKey } from '../aws/audit-key.ts';
import { config } from '../aws/config.ts';
import { callerHash } from '../resource/access/owner.ts';
import type { Resource } from '../resource/resource.ts';
import { changeOf, type ItemChange } from './cloud-event.ts';

/**
 * Returns the change in a record, with the event that the service publishes; undefined if the record has no event.
 *
 * @throws Error when an image has no identifier, or if Secrets Manager does not give the key of the hashes
 */
export async function publishedChange(
  resource: Resource,
  record: DynamoDBRecord,
): Promise<ItemChange | undefined> {
  const key = await auditKey();
  return changeOf(resource, record, key === undefined ? undefined : (subject) => callerHash(key, subject));
}

/**
 * Returns the result of a batch whose records before this sequence number are processed; undefined: all records are.
 * Lambda delivers the others again, so that the changes of an item stay in order.
 *
 * Source: AWS Lambda Developer Guide, "Configuring partial batch response with DynamoDB and Lambda".
 */
export const failedFrom = (sequenceNumber: string | undefined): DynamoDBBatchResponse => ({
  batchItemFailures: sequenceNumber === undefined ? [] : [{ itemIdentifier: sequenceNumber }],
});

/**
 * Returns the resource of the table in the ARN of the stream: `arn:…:table/{name}/stream/{label}`.
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
