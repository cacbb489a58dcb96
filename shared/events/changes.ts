import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { currentTime } from '../aws/clock.ts';
import { faultOf, log } from '../aws/log.ts';
import type { JsonObject } from '../json/value.ts';
import { valueMembers } from '../representations/item.ts';
import type { Item } from '../resource/item.ts';
import { type Change, descriptionOf, type Resource } from '../resource/resource.ts';
import { UnreadableItem } from '../resource/store-refusal.ts';
import { commitOnce } from '../store/custom/commit.ts';
import { failedFrom, publishedChange } from './records.ts';

/** Returns the name of the function that calls `onChange` of a resource: `orders-changes`. */
export const changesFunction = ({ name }: Pick<Resource, 'name'>): string => `${name}-changes`;

/**
 * Returns the Lambda handler of the stream of a resource's table. It calls `onChange` for one change after the other,
 * and returns the first one that fails. An item whose stored form this release does not know fails too. If the first of
 * several changes fails, the handler throws: Lambda then halves the batch, until the change is alone.
 *
 * @throws Error of `onChange`, or UnreadableItem
 *
 * Source: AWS Lambda Developer Guide, "Process DynamoDB records with Lambda" (BisectBatchOnFunctionError).
 */
export const reacting =
  (resource: Resource) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const [at, record] of Records.entries()) {
      try {
        const change = await changeIn(resource, record);
        if (change) await react(resource, change);
      } catch (error) {
        const { SequenceNumber: sequenceNumber, Keys } = record.dynamodb ?? {};
        // A name can be personal data, so the line has only numbers of items.
        const id = Keys?.[descriptionOf(resource).identifier.name]?.N;
        log('error', { resource: resource.name, id, sequenceNumber, ...faultOf(error) });
        if (at === 0 && Records.length > 1) throw error;
        return failedFrom(sequenceNumber);
      }
    }
    return failedFrom(undefined);
  };

/** Calls `onChange`, and commits what it writes to items. */
const react = (resource: Resource, change: Change): Promise<void> =>
  commitOnce(resource, change.event.id, currentTime(), async (items) => {
    await resource.onChange?.({ ...change, items });
  });

/** Returns the change in a record, as an author gets it. */
async function changeIn(resource: Resource, record: DynamoDBRecord): Promise<Change | undefined> {
  const change = await publishedChange(resource, record);
  if (!change || change.isSilent) return undefined;
  const { before, after, item, event } = change;
  return {
    id: item.id,
    event,
    ...(before && { before: shown(resource, before) }),
    ...(after && { after: shown(resource, after) }),
  };
}

/** Returns the properties of an item for code, which sees every field. @throws UnreadableItem */
function shown(resource: Resource, item: Item): JsonObject {
  if (item.unreadable) throw new UnreadableItem();
  const sight = { description: descriptionOf(resource), scopes: [], authors: false, isLimited: false };
  return { version: item.version, ...valueMembers(resource, item, '', { sight }) };
}
